// ends: Thrown, Fine
typeof ShadowRealm === "undefined" ? "none" : new ShadowRealm().evaluate("typeof process")
