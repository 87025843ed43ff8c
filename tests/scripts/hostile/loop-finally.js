// ends: Thrown
function f() { try { f(); } finally { f(); } }
for (;;) { try { f(); } catch {} }
