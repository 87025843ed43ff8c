// ends: Crashed, TimedOut
for (;;) { try { await telegram.nothing(); } catch {} }
