// ends: Syntax, Thrown
import.meta.url
