// ends: Fine, Thrown
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
proxy
