// ends: Fine
const get = name => { try { return [].constructor.constructor("return typeof " + name)(); } catch { return "undefined"; } };
["process", "require", "module", "Deno", "Bun", "fetch", "XMLHttpRequest", "WebSocket", "importScripts", "std", "os"].filter(name => get(name) !== "undefined")
