// Chance comes from the host and is in the journal, so a replay throws the same.

const MOST = 1000;

function whole(from: number, to: number): number {
    return from + Math.floor(Math.random() * (to - from + 1));
}

function list(path: string, things: unknown): unknown[] {
    if (!Array.isArray(things) || things.length === 0 || things.length > MOST) {
        throw new TypeError(`${path}: things must be an array of 1 to ${MOST}, got ${Array.isArray(things) ? `${things.length}` : typeof things}`);
    }
    return things;
}

function shuffled(things: unknown[]): unknown[] {
    const out = [...things];
    for (let i = out.length - 1; i > 0; i--) {
        const j = whole(0, i);
        [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
}

function roll(notation: unknown) {
    const wrong = (why: string) => new TypeError(`dice.roll: ${why}; write it like "2d6", "d20+3" or "4d6kh3"`);
    if (typeof notation !== "string" || notation.trim() === "") throw wrong("notation must be a text");
    const text = notation.toLowerCase().replace(/\s+/g, "");
    if (text.length > 100) throw wrong("the notation is too long");
    let rest = text;
    let total = 0;
    const dice: number[] = [];
    const dropped: number[] = [];
    let isFirst = true;
    while (rest !== "") {
        const term = /^([+-])?(?:(\d{0,3})d(\d{1,4}|%)(?:k([hl])?(\d{1,3}))?|(\d{1,6}))/.exec(rest);
        if (term === null || (!isFirst && term[1] === undefined)) throw wrong(`${JSON.stringify(rest)} is not understood`);
        isFirst = false;
        rest = rest.slice(term[0].length);
        const sign = term[1] === "-" ? -1 : 1;
        if (term[6] !== undefined) {
            total += sign * Number(term[6]);
            continue;
        }
        const count = term[2] === "" || term[2] === undefined ? 1 : Number(term[2]);
        const sides = term[3] === "%" ? 100 : Number(term[3]);
        if (count < 1 || dice.length + dropped.length + count > 100) throw wrong("at most 100 dice are thrown");
        if (sides < 2 || sides > 1000) throw wrong("a die has 2 to 1000 sides");
        const thrown = Array.from({ length: count }, () => whole(1, sides));
        const keep = term[5] === undefined ? count : Number(term[5]);
        if (keep > count) throw wrong(`${keep} of ${count} dice cannot be kept`);
        // Of equal dice the earlier ones stay.
        const ranked = thrown.map((value, at) => ({ value, at }));
        ranked.sort((a, b) => (term[4] === "l" ? a.value - b.value : b.value - a.value) || a.at - b.at);
        const kept = new Set(ranked.slice(0, keep).map((die) => die.at));
        thrown.forEach((value, at) => {
            if (kept.has(at)) {
                dice.push(value);
                total += sign * value;
            } else {
                dropped.push(value);
            }
        });
    }
    return { total, dice, dropped };
}

function draw(things: unknown, count: unknown = 1) {
    const all = list("dice.draw", things);
    if (typeof count !== "number" || !Number.isInteger(count) || count < 1 || count > all.length) {
        throw new TypeError(`dice.draw: count must be a whole number from 1 to ${all.length}, got ${String(count)}`);
    }
    return shuffled(all).slice(0, count);
}

function shuffle(things: unknown) {
    return shuffled(list("dice.shuffle", things));
}

export default { roll, draw, shuffle };
