// ends: Fine
Error.prepareStackTrace = (e, frames) => frames;
const s = new Error().stack;
Array.isArray(s) ? "frames" : "text"
