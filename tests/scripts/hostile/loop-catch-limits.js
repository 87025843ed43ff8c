// ends: Thrown
function deep() { deep(); }
for (;;) { try { deep(); } catch {} }
