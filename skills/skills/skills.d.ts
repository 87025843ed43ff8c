/**
 * skills.d.ts — how to use the others.
 *
 * Read a method's documentation before you call it, when a wrong guess would cost something.
 */
declare const skills: {
    /**
     * Ask for the full documentation of a method or of a whole skill. It comes with the report on this script.
     *
     * @param path Such as `"agenda.remind"`, or `"agenda"` for all of it.
     * @throws RangeError if nothing is called that; the message names what comes near.
     * @effect read
     *
     * @example
     * await skills.docs("agenda.remind");
     */
    docs(path: string): Promise<void>;
};
