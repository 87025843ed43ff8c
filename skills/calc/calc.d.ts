/**
 * calc.d.ts — a calculator.
 *
 * Calculate exactly: sums, splits, percentages, powers, roots, logarithms, angles. Use it instead of reckoning in your head.
 */
declare const calc: {
    /**
     * Calculate one expression. Sums, products, quotients and whole powers are exact: `0.1 + 0.2` is `0.3`.
     *
     * Operators: `+ - * / % ^ !` and parentheses; `×`, `÷`, `−` and `**` are understood, so is `15%` of something: `15% * 80`.
     * Functions: sqrt cbrt abs round floor ceil min max gcd lcm ln log log2 exp sin cos tan asin acos atan (radians), deg, rad.
     * Constants: pi, e.
     *
     * @param expression Such as `"6 * 7"`.
     * @returns A number; as a text of digits where a number could not hold it exactly.
     * @throws SyntaxError with the place that is not understood; RangeError for a division by zero or a result too large.
     * @effect read
     *
     * @example Split a bill of 386 among 5, with 10% tip.
     * const each = await calc.eval("386 * 110% / 5");
     *
     * @example
     * await calc.eval("2^100"); // "1267650600228229401496703205376"
     */
    eval(expression: string): Promise<number | string>;
};
