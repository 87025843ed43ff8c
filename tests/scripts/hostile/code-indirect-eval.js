// ends: Fine
(0, eval)("this === globalThis && typeof require")
