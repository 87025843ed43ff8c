// Exact as long as it can be: a value is a fraction of two whole numbers of any size, or else a double.

type Exact = { n: bigint; d: bigint };
type Value = Exact | number;

/** The most bits of a whole number on the way: what a person may want to read, and quick to reckon with. */
const BITS = 4096;
const LONGEST = 1000;
const DEEPEST = 50;

const isExact = (value: Value): value is Exact => typeof value === "object";

function gcd(a: bigint, b: bigint): bigint {
    a = a < 0n ? -a : a;
    b = b < 0n ? -b : b;
    while (b !== 0n) [a, b] = [b, a % b];
    return a;
}

function bits(value: bigint): number {
    return value.toString(16).length * 4;
}

function exact(n: bigint, d: bigint = 1n): Exact {
    if (d === 0n) throw new RangeError("calc.eval: division by zero");
    if (bits(n) > BITS * 2 || bits(d) > BITS * 2) throw new RangeError("calc.eval: the result is too large");
    const common = gcd(n, d) || 1n;
    const sign = d < 0n ? -1n : 1n;
    const out = { n: (sign * n) / common, d: (sign * d) / common };
    if (bits(out.n) > BITS || bits(out.d) > BITS) throw new RangeError("calc.eval: the result is too large");
    return out;
}

function double(value: Value): number {
    if (!isExact(value)) return value;
    const near = Number(value.n) / Number(value.d);
    if (Number.isFinite(near)) return near;
    // Both are beyond a double; their leading digits tell the quotient.
    const shift = BigInt(Math.max(0, Math.min(bits(value.n), bits(value.d)) - 1000));
    return Number(value.n >> shift) / Number(value.d >> shift);
}

function finite(value: number): number {
    if (Number.isNaN(value)) throw new RangeError("calc.eval: the result is not a real number");
    if (!Number.isFinite(value)) throw new RangeError("calc.eval: the result is too large");
    return value;
}

function add(a: Value, b: Value): Value {
    return isExact(a) && isExact(b) ? exact(a.n * b.d + b.n * a.d, a.d * b.d) : finite(double(a) + double(b));
}

function multiply(a: Value, b: Value): Value {
    return isExact(a) && isExact(b) ? exact(a.n * b.n, a.d * b.d) : finite(double(a) * double(b));
}

function divide(a: Value, b: Value): Value {
    if (double(b) === 0 && (!isExact(b) || b.n === 0n)) throw new RangeError("calc.eval: division by zero");
    return isExact(a) && isExact(b) ? exact(a.n * b.d, a.d * b.n) : finite(double(a) / double(b));
}

function negate(a: Value): Value {
    return isExact(a) ? { n: -a.n, d: a.d } : -a;
}

function floor(a: Value): Value {
    if (!isExact(a)) return Math.floor(a);
    const whole = a.n / a.d;
    return exact(a.n < 0n && whole * a.d !== a.n ? whole - 1n : whole);
}

function remainder(a: Value, b: Value): Value {
    return add(a, negate(multiply(b, floor(divide(a, b)))));
}

function power(a: Value, b: Value): Value {
    if (isExact(a) && isExact(b) && b.d === 1n) {
        const size = b.n < 0n ? -b.n : b.n;
        const isSmall = a.d === 1n && a.n >= -1n && a.n <= 1n;
        if (!isSmall && size * BigInt(Math.max(bits(a.n), bits(a.d)) - 3) > BigInt(BITS)) {
            throw new RangeError("calc.eval: the result is too large");
        }
        const times = isSmall ? size % 2n + (size === 0n ? 0n : 2n) : size;
        return b.n < 0n ? exact(a.d ** times, a.n ** times) : exact(a.n ** times, a.d ** times);
    }
    return finite(double(a) ** double(b));
}

function factorial(a: Value): Value {
    if (!isExact(a) || a.d !== 1n || a.n < 0n || a.n > 300n) {
        throw new RangeError("calc.eval: a factorial wants a whole number from 0 to 300");
    }
    let product = 1n;
    for (let i = 2n; i <= a.n; i++) product *= i;
    return exact(product);
}

function whole(name: string, a: Value): bigint {
    if (isExact(a) && a.d === 1n) return a.n;
    throw new RangeError(`calc.eval: ${name} wants whole numbers`);
}

/** The root, exact where there is an exact one. */
function root(a: Value): Value {
    if (double(a) < 0) throw new RangeError("calc.eval: the result is not a real number");
    const one = (n: bigint): bigint | undefined => {
        if (bits(n) > 200) return undefined;
        let near = BigInt(Math.floor(Math.sqrt(Number(n))));
        for (let i = 0; i < 6 && near > 0n; i++) near = (near + n / near) / 2n;
        return [near - 1n, near, near + 1n].find((r) => r * r === n);
    };
    if (isExact(a)) {
        const [n, d] = [one(a.n), one(a.d)];
        if (n !== undefined && d !== undefined) return exact(n, d);
    }
    return finite(Math.sqrt(double(a)));
}

const less = (a: Value, b: Value) => (isExact(a) && isExact(b) ? a.n * b.d < b.n * a.d : double(a) < double(b));
const real = (f: (x: number) => number) => (a: Value) => finite(f(double(a)));
const half = exact(1n, 2n);

/** Name → how many arguments it takes (at least one where it is Infinity), and what it does. */
const FUNCTIONS: Record<string, [number, (...args: Value[]) => Value]> = {
    sqrt: [1, root],
    cbrt: [1, real(Math.cbrt)],
    abs: [1, (a) => (double(a) < 0 ? negate(a) : a)],
    round: [1, (a) => (double(a) < 0 ? negate(floor(add(negate(a), half))) : floor(add(a, half)))],
    floor: [1, floor],
    ceil: [1, (a) => negate(floor(negate(a)))],
    min: [Infinity, (...all) => all.reduce((a, b) => (less(b, a) ? b : a))],
    max: [Infinity, (...all) => all.reduce((a, b) => (less(a, b) ? b : a))],
    gcd: [2, (a, b) => exact(gcd(whole("gcd", a), whole("gcd", b)))],
    lcm: [2, (a, b) => {
        const [x, y] = [whole("lcm", a), whole("lcm", b)];
        return exact(x === 0n || y === 0n ? 0n : (x / gcd(x, y)) * y);
    }],
    ln: [1, real(Math.log)],
    log: [1, real(Math.log10)],
    log10: [1, real(Math.log10)],
    log2: [1, real(Math.log2)],
    exp: [1, real(Math.exp)],
    sin: [1, real(Math.sin)],
    cos: [1, real(Math.cos)],
    tan: [1, real(Math.tan)],
    asin: [1, real(Math.asin)],
    acos: [1, real(Math.acos)],
    atan: [1, real(Math.atan)],
    deg: [1, real((x) => (x * 180) / Math.PI)],
    rad: [1, real((x) => (x * Math.PI) / 180)],
};

class Reader {
    at = 0;
    depth = 0;
    constructor(readonly text: string) {}

    wrong(): SyntaxError {
        const seen = this.text.slice(this.at, this.at + 20);
        const what = seen === "" ? "it ends too early" : `${JSON.stringify(seen)} is not understood`;
        return new SyntaxError(`calc.eval: ${what}, at character ${this.at + 1} of ${JSON.stringify(this.text.slice(0, 80))}`);
    }

    space() {
        while (this.at < this.text.length && /\s/.test(this.text[this.at])) this.at++;
    }

    take(...signs: string[]): string | undefined {
        this.space();
        const sign = signs.find((sign) => this.text.startsWith(sign, this.at));
        if (sign !== undefined) this.at += sign.length;
        return sign;
    }

    all(): Value {
        const value = this.sum();
        this.space();
        if (this.at < this.text.length) throw this.wrong();
        return value;
    }

    sum(): Value {
        if (++this.depth > DEEPEST) throw new RangeError(`calc.eval: nested deeper than ${DEEPEST}`);
        let value = this.product();
        for (let sign; (sign = this.take("+", "-", "−")) !== undefined; ) {
            const next = this.product();
            value = add(value, sign === "+" ? next : negate(next));
        }
        this.depth--;
        return value;
    }

    product(): Value {
        let value = this.signed();
        for (;;) {
            const begun = this.at;
            // Two of them are a power.
            if (this.take("**") !== undefined) {
                this.at = begun;
                return value;
            }
            const sign = this.take("*", "×", "·", "/", "÷", "%");
            if (sign === undefined) return value;
            const next = this.signed();
            if (sign === "/" || sign === "÷") value = divide(value, next);
            else if (sign === "%") value = remainder(value, next);
            else value = multiply(value, next);
        }
    }

    signed(): Value {
        if (++this.depth > DEEPEST) throw new RangeError(`calc.eval: nested deeper than ${DEEPEST}`);
        const sign = this.take("-", "−", "+");
        const value = sign === undefined ? this.powered() : this.signed();
        this.depth--;
        return sign === "-" || sign === "−" ? negate(value) : value;
    }

    powered(): Value {
        const base = this.marked();
        return this.take("**", "^") === undefined ? base : power(base, this.signed());
    }

    /** What stands behind a value: `!`, and a `%` after which no value follows. */
    marked(): Value {
        let value = this.single();
        for (;;) {
            if (this.take("!") !== undefined) {
                value = factorial(value);
                continue;
            }
            const begun = this.at;
            if (this.take("%") === undefined) return value;
            this.space();
            if (/^[\d.(a-z]/i.test(this.text.slice(this.at))) {
                this.at = begun;
                return value;
            }
            value = multiply(value, exact(1n, 100n));
        }
    }

    single(): Value {
        if (this.take("(", "（") !== undefined) {
            const value = this.sum();
            if (this.take(")", "）") === undefined) throw this.wrong();
            return value;
        }
        this.space();
        const rest = this.text.slice(this.at);
        const number = /^(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d{1,3})?/i.exec(rest)?.[0] ?? "";
        if (/^[\d.]/.test(number)) {
            this.at += number.length;
            return literal(number.replace(/,/g, ""));
        }
        const name = /^[a-zπ][a-z0-9]*/i.exec(rest)?.[0].toLowerCase();
        if (name === undefined) throw this.wrong();
        if (name === "pi" || name === "π") return (this.at += name.length), Math.PI;
        if (name === "e") return (this.at += 1), Math.E;
        const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
        if (known === undefined) throw this.wrong();
        this.at += name.length;
        return this.applied(name, ...known);
    }

    applied(name: string, count: number, f: (...args: Value[]) => Value): Value {
        if (this.take("(", "（") === undefined) throw this.wrong();
        const args = [this.sum()];
        while (this.take(",", "，") !== undefined) args.push(this.sum());
        if (this.take(")", "）") === undefined) throw this.wrong();
        if (count !== Infinity && args.length !== count) {
            throw new TypeError(`calc.eval: ${name} takes ${count} ${count === 1 ? "argument" : "arguments"}, got ${args.length}`);
        }
        return f(...args);
    }
}

function literal(text: string): Value {
    const [mantissa, exponent = "0"] = text.toLowerCase().split("e");
    const [before, after = ""] = mantissa.split(".");
    const value = exact(BigInt(before + after || "0"), 10n ** BigInt(after.length));
    const scale = exact(10n ** BigInt(Math.abs(Number(exponent))));
    return Number(exponent) < 0 ? divide(value, scale) : multiply(value, scale);
}

function shown(value: Value): number | string {
    if (isExact(value) && value.d === 1n) {
        const number = Number(value.n);
        return Number.isSafeInteger(number) ? number : value.n.toString();
    }
    const number = double(value);
    // Doubles that were exact to fifteen digits are shown so, not with the dust of their last bits.
    return isExact(value) ? number : Number(number.toPrecision(15));
}

export default {
    eval(expression: unknown) {
        if (typeof expression !== "string" || expression.trim() === "") {
            throw new TypeError(`calc.eval: expression must be a text such as "6 * 7", got ${typeof expression}`);
        }
        if (expression.length > LONGEST) throw new RangeError(`calc.eval: the expression is longer than ${LONGEST} characters`);
        return shown(new Reader(expression).all());
    },
};
