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
};

/** Where a message goes and how. */
interface SendOptions {
    /** The number of the message that this one answers, as shown after `#`. */
    replyTo?: number;
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
