/**
 * telegram.d.ts — the chat you are in.
 *
 * Send and react in this chat. People see only what you send here, never your thoughts or what you print.
 */
declare const telegram: {
    /**
     * Send a text message to this chat, or answer one of its messages.
     *
     * @param text What people read. Plain words; long texts are split for you.
     * @param options Where it goes and how; leave it out to speak to this chat.
     * @returns The number of the message that now stands in the chat (the first, if it was split).
     * @throws PermissionError if what is talked about here may not go to that chat. Nothing was sent.
     * @throws TelegramError if Telegram refused, or no answer came; the message says which.
     * @effect write
     *
     * @example Speak
     * await telegram.sendText("好，八点见");
     *
     * @example Answer message #812
     * await telegram.sendText("Yes, that one.", { replyTo: 812 });
     *
     * @example A note that rings nobody's phone
     * await telegram.sendText("周报放在群文件里了", { quiet: true });
     *
     * @example Buttons: a press comes back to you as a line of this chat
     * await telegram.sendText("几点出发？", { buttons: [[{ text: "七点", data: "7" }, { text: "八点", data: "8" }]] });
     */
    sendText(text: string, options?: SendOptions): Promise<Sent>;

    /**
     * Change the text of a message of yours; buttons under it stay only if you give them again.
     *
     * @param message The number of your message, as shown after `#` or returned by `sendText`.
     * @param text What it says from now on; it must fit into one message.
     * @param options The buttons under it from now on.
     * @throws TelegramError if it is not your message, is gone, or is too old to be edited.
     * @effect write
     *
     * @example
     * await telegram.edit(813, "改到周六下午两点");
     */
    edit(message: number, text: string, options?: EditOptions): Promise<void>;

    /**
     * Change only the buttons under a message of yours; `null` takes them away.
     *
     * @param message The number of your message.
     * @param buttons Rows of buttons from now on.
     * @throws TelegramError if it is not your message or is gone.
     * @effect write
     *
     * @example The choice is made
     * await telegram.editButtons(813, null);
     */
    editButtons(message: number, buttons: Button[][] | null): Promise<void>;

    /**
     * Put an emoji reaction on a message of this chat: often kinder than a whole sentence.
     *
     * @param message The number of the message, as shown after `#`.
     * @param emoji One of Telegram's reaction emoji, such as 👍 ❤ 🔥 🎉 😁 🤔 😢 👏 🙏; `null` takes yours back.
     * @throws TelegramError if the emoji is not allowed in this chat or the message is gone.
     * @effect write
     *
     * @example
     * await telegram.react(812, "👍");
     */
    react(message: number, emoji: string | null): Promise<void>;

    /**
     * Delete a message of yours.
     *
     * @param message The number of your message.
     * @throws PermissionError if the message is not yours.
     * @throws TelegramError if it is gone or too old to be deleted.
     * @effect write
     *
     * @example
     * await telegram.delete(813);
     */
    delete(message: number): Promise<void>;

    /**
     * Send a sticker that was seen in this chat, chosen by its emoji.
     *
     * @param emoji What it should mean, such as 😂.
     * @param options What it answers.
     * @returns The number of the new message.
     * @throws RangeError if no such sticker was seen here; the message lists what there is.
     * @effect write
     *
     * @example
     * await telegram.sticker("😂", { replyTo: 812 });
     */
    sticker(emoji: string, options?: ReplyOptions): Promise<Sent>;

    /**
     * Ask everybody in a poll.
     *
     * @param question At most 300 characters.
     * @param answers 2 to 12 answers of at most 100 characters.
     * @param options How people vote.
     * @returns The number of the new message.
     * @throws RangeError if a text is too long or there are too few or too many answers.
     * @throws TelegramError if Telegram refused.
     * @effect write
     *
     * @example
     * await telegram.poll("周六几点出发？", ["七点", "八点"], { multiple: true });
     */
    poll(question: string, answers: string[], options?: PollOptions): Promise<Sent>;

    /**
     * Forward a message of this chat, its author named.
     *
     * @param message The number of the message.
     * @param options Where to; this chat if left out.
     * @returns The number of the new message.
     * @throws PermissionError if what is talked about here may not go to that chat. Nothing was sent.
     * @throws TelegramError if the message is gone or may not be forwarded.
     * @effect write
     *
     * @example Into a topic of this chat
     * await telegram.forward(812, { topic: 7 });
     */
    forward(message: number, options?: PlaceOptions): Promise<Sent>;

    /**
     * Send a message of this chat again as your own, its author not named.
     *
     * @param message The number of the message.
     * @param options Where to; this chat if left out.
     * @returns The number of the new message.
     * @throws PermissionError if what is talked about here may not go to that chat. Nothing was sent.
     * @throws TelegramError if the message is gone or may not be copied.
     * @effect write
     *
     * @example
     * await telegram.copy(812);
     */
    copy(message: number, options?: PlaceOptions): Promise<Sent>;

    /**
     * Pin a message of this chat.
     *
     * @param message The number of the message.
     * @param options `notify: true` rings everybody.
     * @throws TelegramError if you may not pin here or the message is gone.
     * @effect write
     *
     * @example
     * await telegram.pin(812);
     */
    pin(message: number, options?: { notify?: boolean }): Promise<void>;

    /**
     * Unpin a message of this chat.
     *
     * @param message The number of the message.
     * @throws TelegramError if you may not pin here or the message is gone.
     * @effect write
     *
     * @example
     * await telegram.unpin(812);
     */
    unpin(message: number): Promise<void>;

    /**
     * What this chat is: title, description, kind, what members may do.
     *
     * @throws TelegramError if Telegram does not answer.
     * @effect read
     *
     * @example
     * const { title, description } = await telegram.chat();
     */
    chat(): Promise<ChatInfo>;

    /**
     * Who administers this chat.
     *
     * @throws TelegramError if Telegram does not answer.
     * @effect read
     *
     * @example
     * const names = (await telegram.administrators()).map(one => one.name);
     */
    administrators(): Promise<Member[]>;

    /**
     * Whether a person is in this chat, and as what.
     *
     * @param person Their id, as shown with their name.
     * @throws TelegramError if Telegram does not know them.
     * @effect read
     *
     * @example
     * const { status } = await telegram.member(1001);
     */
    member(person: number): Promise<Member>;

    /**
     * Open a new topic in this forum.
     *
     * @param name What it is called.
     * @returns The topic's number.
     * @throws TelegramError if this chat has no topics or you may not manage them.
     * @effect write
     *
     * @example
     * const { id } = await telegram.createTopic("周末");
     */
    createTopic(name: string): Promise<Sent>;

    /**
     * Close a topic, so that nobody writes in it.
     *
     * @param topic Its number; the one you are in if left out.
     * @throws TelegramError if you may not manage topics.
     * @effect write
     *
     * @example
     * await telegram.closeTopic(7);
     */
    closeTopic(topic?: number): Promise<void>;

    /**
     * Open a closed topic again.
     *
     * @param topic Its number; the one you are in if left out.
     * @throws TelegramError if you may not manage topics.
     * @effect write
     *
     * @example
     * await telegram.reopenTopic(7);
     */
    reopenTopic(topic?: number): Promise<void>;

    /** What administrators do. */
    admin: {
        /**
         * Ban a person from this chat.
         *
         * @param person Their id, as shown with their name.
         * @throws PermissionError without the operator's leave.
         * @throws TelegramError if you have not the right.
         * @effect write
         * @risk ask
         *
         * @example
         * await telegram.admin.ban(1001);
         */
        ban(person: number): Promise<void>;

        /**
         * Let a banned person come back.
         *
         * @param person Their id.
         * @throws PermissionError without the operator's leave.
         * @throws TelegramError if you have not the right.
         * @effect write
         * @risk ask
         *
         * @example
         * await telegram.admin.unban(1001);
         */
        unban(person: number): Promise<void>;

        /**
         * Forbid a person to write for some minutes.
         *
         * @param person Their id.
         * @param minutes For how long.
         * @throws PermissionError without the operator's leave.
         * @throws TelegramError if you have not the right.
         * @effect write
         * @risk ask
         *
         * @example
         * await telegram.admin.mute(1001, 30);
         */
        mute(person: number, minutes: number): Promise<void>;

        /**
         * Let a muted person write again.
         *
         * @param person Their id.
         * @throws PermissionError without the operator's leave.
         * @throws TelegramError if you have not the right.
         * @effect write
         * @risk ask
         *
         * @example
         * await telegram.admin.unmute(1001);
         */
        unmute(person: number): Promise<void>;

        /**
         * Make an invite link to this chat.
         *
         * @param options How many may use it, and for how many minutes it works.
         * @returns The link.
         * @throws PermissionError without the operator's leave.
         * @throws TelegramError if you have not the right.
         * @effect write
         * @risk ask
         *
         * @example
         * const link = await telegram.admin.inviteLink({ uses: 1, minutes: 60 });
         */
        inviteLink(options?: { uses?: number; minutes?: number }): Promise<string>;

        /**
         * Change this chat's title.
         *
         * @param title At most 128 characters.
         * @throws PermissionError without the operator's leave.
         * @throws TelegramError if you have not the right.
         * @effect write
         * @risk ask
         *
         * @example
         * await telegram.admin.setTitle("周末去哪儿");
         */
        setTitle(title: string): Promise<void>;
    };
};

/** Where a message goes and how. */
interface SendOptions {
    /** The number of the message that this one answers, as shown after `#`. */
    replyTo?: number;
    /** The part of that message that is quoted, word for word. */
    quote?: string;
    /** Another topic of that chat, by its number. */
    topic?: number;
    /** Deliver it without a sound. */
    quiet?: boolean;
    /** Another chat: its number, or `"dm:"` and a person's id for their private chat with you. */
    chat?: number | `dm:${number}`;
    /** Rows of buttons under it. */
    buttons?: Button[][];
}

/** What an edit changes beside the text. */
interface EditOptions {
    /** Rows of buttons under it from now on. */
    buttons?: Button[][];
}

/** A button under a message: give `data` or `url`, not both. */
interface Button {
    /** What it says. */
    text: string;
    /** What comes back to you when it is pressed, at most 64 bytes; the button's text if left out. */
    data?: string;
    /** The address that it opens instead. */
    url?: string;
}

/** What was sent. */
interface Sent {
    /** The new message's number: react to it or answer it with this. */
    id: number;
}

/** What a message answers, and whether it rings. */
interface ReplyOptions {
    /** The number of the message that this one answers. */
    replyTo?: number;
    /** Deliver it without a sound. */
    quiet?: boolean;
}

/** How people vote in a poll. */
interface PollOptions extends ReplyOptions {
    /** Several answers may be chosen. */
    multiple?: boolean;
    /** Everybody sees who voted for what. */
    named?: boolean;
}

/** Where to. */
interface PlaceOptions {
    /** Another chat: its number, or `"dm:"` and a person's id for their private chat with you. */
    chat?: number | `dm:${number}`;
    /** A topic of that chat, by its number. */
    topic?: number;
}

/** What a chat is. */
interface ChatInfo {
    id: number;
    type: "private" | "group" | "supergroup" | "channel";
    title?: string;
    description?: string;
    /** What members may do, by right. */
    permissions?: Record<string, boolean>;
}

/** Somebody in a chat. */
interface Member {
    id: number;
    name: string;
    /** What they are there. */
    status: "creator" | "administrator" | "member" | "restricted" | "left" | "kicked";
}
