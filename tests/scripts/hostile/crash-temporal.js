// ends: Fine, Crashed, Thrown
const all = [];
for (const f of [() => Temporal.PlainDate.from("+275760-09-13").add({ years: 1 }), () => Temporal.Duration.from({ hours: 2 ** 53 }), () => Temporal.Now.zonedDateTimeISO("No/Where"), () => Temporal.Instant.fromEpochMilliseconds(8.64e15).add({ hours: 1 })]) { try { all.push(String(f())); } catch (e) { all.push(e.name); } }
all
