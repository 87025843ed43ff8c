/**
 * skills.d.ts — how to use the others.
 *
 * Read a method's documentation before you call it, when a wrong guess would cost something, and load a guide before you do what it is about.
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

    /**
     * Load a guide: instructions for a kind of task, by the name in the list of guides. It comes with the report on this script.
     *
     * @param name Such as `"weekly-report"`.
     * @returns The paths of the files that the guide brings along, for `skills.read`.
     * @throws RangeError if no guide is called that; the message names those that are.
     * @effect read
     *
     * @example
     * await skills.load("weekly-report");
     */
    load(name: string): Promise<{ note: string; files: string[] }>;

    /**
     * Read a text file of a guide that you loaded. It comes with the report on this script too, so there is no need to print it.
     *
     * @param name The guide's name.
     * @param path One of the paths that loading it gave.
     * @returns The file's text.
     * @throws RangeError if the guide is not loaded, or the file cannot be read; the message says why.
     * @effect read
     *
     * @example
     * const template = await skills.read("weekly-report", "assets/template.md");
     */
    read(name: string, path: string): Promise<string>;
};
