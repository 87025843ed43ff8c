// ends: Fine
const A = (async () => {}).constructor, G = (function* () {}).constructor;
[await A("return typeof process")(), [...G("yield typeof require")()][0]]
