/**
 * memory.d.ts — what you know.
 *
 * Remember people and things beyond this conversation, and look up what was said before.
 * What was told in private is never given out elsewhere.
 */
declare const memory: {
    /**
     * Keep one statement for later: who likes what, what was agreed, what will happen.
     *
     * @param text One sentence that will make sense on its own in a year: names instead of "he", dates instead of "tomorrow". At most 500 characters.
     * @param options What it is about; without `about`, the person who waits for you, or the chat if there are several.
     * @throws TypeError if an option has the wrong shape, or if the only source is what you said yourself about a person.
     * @effect write
     *
     * @example
     * await memory.remember("Lin is allergic to peanuts", { about: 7001, kind: "trait", from: [812] });
     *
     * @example Something that passes
     * await memory.remember("The group meets at Wudaokou on Friday at 19:00", { about: "chat", kind: "plan", expires: "friday 23:00" });
     */
    remember(text: string, options?: RememberOptions): Promise<void>;

    /**
     * Find what you remembered that fits a question, best first.
     *
     * @param query Words to look for, in any language; leave it out for the latest.
     * @param options Narrow it down.
     * @returns What fits and may be known here; empty if there is nothing.
     * @effect read
     *
     * @example
     * const facts = await memory.recall("food allergies", { about: 7001 });
     * console.log(facts);
     */
    recall(query?: string, options?: RecallOptions): Promise<Fact[]>;

    /**
     * Look up a person by id or by name, former names too.
     *
     * @param idOrName Their id, their name, or their @username.
     * @returns The person, or `null` if nobody of that name was seen here.
     * @effect read
     *
     * @example
     * const lin = await memory.person("Lin");
     * if (lin) console.log(lin.id, lin.formerNames);
     */
    person(idOrName: number | string): Promise<Person | null>;

    /**
     * Read older messages: search them by words, or page back through this chat.
     *
     * @param options What to look for; without any, the latest messages of this chat, newest first.
     * @effect read
     *
     * @example Who talked about the trip?
     * console.log(await memory.history({ query: "hot spring trip", limit: 10 }));
     *
     * @example What stood before message #790?
     * console.log(await memory.history({ before: 790, limit: 30 }));
     */
    history(options?: HistoryOptions): Promise<Message[]>;
};

/** How a statement is kept. */
interface RememberOptions {
    about?: About;
    kind?: Kind;
    /** How sure you are, from 0 to 1. Default 0.8. */
    confidence?: number;
    /** Numbers of the messages in this chat that say so. Default: those that wait for your answer. */
    from?: number[];
    /** When it stops being true: a time such as `"2026-05-14 20:00"` or `"in 3 days"`. Default: never. */
    expires?: string | number | Date;
}

/** What a statement is about: a person's id, this chat, yourself, or the world at large. */
type About = number | "chat" | "us" | "world";

/** What sort of statement it is. */
type Kind = "trait" | "preference" | "plan" | "event" | "relation";

/** Which statements are wanted. */
interface RecallOptions {
    about?: About;
    /** At most so many. Default 8, at most 50. */
    limit?: number;
}

/** A statement that was remembered. */
interface Fact {
    text: string;
    about: About;
    kind: Kind;
    /** From 0 to 1. */
    confidence: number;
    /** When it was first heard. */
    since: string;
    /** When it was last confirmed. */
    seen: string;
}

/** Somebody who was seen here. */
interface Person {
    id: number;
    name: string;
    /** Without the @. */
    username: string | null;
    isBot: boolean;
    formerNames: string[];
    firstSeen: string;
    lastSeen: string;
}

/** Which messages are wanted. */
interface HistoryOptions {
    /** Words that the message holds. */
    query?: string;
    /** Only messages of this person: their id. */
    person?: number;
    /** At most so many. Default 20, at most 50. */
    limit?: number;
    /** Only messages of this chat that stand before this number. */
    before?: number;
}

/** A message that was said. */
interface Message {
    id: number;
    /** The chat where it was said. */
    chat: number;
    /** Who said it: name and id. */
    from: string;
    at: string;
    text: string;
}
