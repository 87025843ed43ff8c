// ends: Thrown, Syntax
await import("data:text/javascript,export default 1")
