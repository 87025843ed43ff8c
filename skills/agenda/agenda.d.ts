/**
 * agenda.d.ts — reminders of this chat.
 *
 * Be woken here at a time of your choice, to do what was promised.
 */
declare const agenda: {
    /**
     * At a time, such as "in 20 minutes", be woken in this chat to do what was promised. It outlives restarts.
     *
     * @param when `"in 20 minutes"`, `"tomorrow 9:00"`, `"friday 18:00"`, `"明早九点"`, `"2026-05-14 20:00"`, a Date, or milliseconds since 1970. Times of day are those of the group's zone.
     * @param what What to do then, written so that you understand it without this conversation: who asked, for whom, about what. At most 500 characters.
     * @returns When it will ring, as it was understood: say it to those who asked.
     * @throws RangeError if the time is past or cannot be read.
     * @effect write
     *
     * @example
     * const { at } = await agenda.remind("in 20 minutes", "Tell Lin (7001) that her tea is ready");
     * await telegram.sendText(`好，${at} 叫你`);
     */
    remind(when: string | number | Date, what: string): Promise<{ at: string }>;

    /**
     * List the reminders that are set in this chat, soonest first.
     *
     * @effect read
     *
     * @example
     * console.log(await agenda.list());
     */
    list(): Promise<Reminder[]>;

    /**
     * Take a reminder of this chat back.
     *
     * @param id Its number, from `agenda.list()`.
     * @throws RangeError if no such reminder is set here.
     * @effect write
     *
     * @example
     * const tea = (await agenda.list()).find((r) => r.what.includes("tea"));
     * if (tea) await agenda.cancel(tea.id);
     */
    cancel(id: number): Promise<true>;
};

/** A reminder that is set. */
interface Reminder {
    /** `null` while the script that set it still runs. */
    id: number | null;
    what: string;
    at: string;
}
