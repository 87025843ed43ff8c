// ends: TimedOut
ctx.x = 1;
Object.defineProperty(ctx, "y", { enumerable: true, get() { for (;;); } });
