/**
 * turn.d.ts — this turn of yours.
 *
 * Say that you are done without a word.
 */
declare const turn: {
    /**
     * End this turn without saying anything, on purpose. People see nothing of it.
     *
     * @param reason Why silence is right, in a few words; the operator can read it.
     * @effect read
     *
     * @example
     * await turn.pass("they are talking to each other");
     */
    pass(reason: string): Promise<void>;
};
