// ends: TimedOut
const a = () => { for (let i = 0; i < 10; i++); };
const b = () => { for (let i = 0; i < 100; i++) a(); };
for (;;) b();
