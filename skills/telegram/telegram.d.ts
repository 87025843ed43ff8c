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
     */
    sendText(text: string, options?: SendOptions): Promise<Sent>;

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
}

/** What was sent. */
interface Sent {
    /** The new message's number: react to it or answer it with this. */
    id: number;
}
