// ends: TimedOut
function deep() { deep(); }
for (;;) { try { deep(); } catch {} }
