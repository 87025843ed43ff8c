/**
 * dice.d.ts — fair chance.
 *
 * Throw dice, draw lots, shuffle. Use it whenever chance is to decide, so that nobody has to trust your choice.
 */
declare const dice: {
    /**
     * Throw dice written as people write them: `2d6`, `d20+3`, `4d6kh3` (keep the highest three), `d%`.
     *
     * @param notation Up to 100 dice of 2 to 1000 sides; several throws may be added and subtracted.
     * @returns The sum, and every die that was thrown.
     * @throws TypeError if it is no such text; the message says what is.
     * @effect read
     *
     * @example
     * const { total, dice: shown } = await dice.roll("2d6+1");
     * await telegram.sendText(`🎲 ${shown.join(" + ")} + 1 = ${total}`);
     */
    roll(notation: string): Promise<Roll>;

    /**
     * Draw some of several things, each at most once.
     *
     * @param things What may be drawn, at most 1000.
     * @param count How many to draw. Default 1.
     * @returns What was drawn, in the order of drawing.
     * @effect read
     *
     * @example Who does the dishes?
     * const [name] = await dice.draw(["蝶", "阿岩", "一帆"]);
     */
    draw<T>(things: T[], count?: number): Promise<T[]>;

    /**
     * Put things into a random order.
     *
     * @param things At most 1000.
     * @effect read
     *
     * @example
     * const order = await dice.shuffle(["A", "B", "C"]);
     */
    shuffle<T>(things: T[]): Promise<T[]>;
};

/** What came up. */
interface Roll {
    /** The sum, dice that were not kept left out. */
    total: number;
    /** The dice that count, in the order in which they were thrown. */
    dice: number[];
    /** Those that were not kept. */
    dropped: number[];
}
