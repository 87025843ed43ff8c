//! Everything that commands say, in every language, in one table.
//!
//! `{…}` are filled in by whoever says it. Text is light Markdown, as `telegram.sendText` takes it.

use super::Command;
use crate::chat::event::Leave;
use crate::chat::language::Language;

/// The words of one language.
#[derive(Debug)]
pub struct Words {
    /// `/start` in a private chat. `{name}`.
    pub start: &'static str,
    /// `/start` in a group. `{name}`, `{username}`.
    pub start_group: &'static str,
    /// What stands above the list of commands.
    pub help: &'static str,
    /// What stands above the operators' part of that list.
    pub help_operators: &'static str,
    /// `/whoami`, its head. `{name}`, `{id}`, `{first}`, `{last}`.
    pub whoami: &'static str,
    /// Former names. `{names}`.
    pub former_names: &'static str,
    /// What stands above what is remembered here.
    pub remembered: &'static str,
    /// Nothing is remembered here.
    pub nothing_remembered: &'static str,
    /// Beside what is shown in a group.
    pub only_here: &'static str,
    /// Whoever asked is no person: an anonymous administrator or a channel.
    pub nobody: &'static str,
    /// `/forget`, not confirmed yet.
    pub forget: &'static str,
    /// `/forget`, done. `{messages}`, `{facts}`, `{reminders}`.
    pub forgotten: &'static str,
    /// `/quiet` began. `{until}`.
    pub quiet: &'static str,
    /// `/quiet` ended.
    pub quiet_off: &'static str,
    /// `/quiet` with something that is no time. `{text}`.
    pub quiet_unclear: &'static str,
    /// `/why`: what is explained. `{message}`, `{name}`.
    pub why_of: &'static str,
    /// `/why`: it made us think.
    pub why_woke: &'static str,
    /// `/why`: it was read and that was all.
    pub why_read: &'static str,
    /// The gate's reason. `{why}`.
    pub because: &'static str,
    /// How strongly it spoke for thinking. `{score}`, of 1.
    pub score: &'static str,
    /// What became of it: answered.
    pub answered: &'static str,
    /// An answer may have been sent.
    pub unknown: &'static str,
    /// Let go. `{why}`.
    pub let_go: &'static str,
    /// Still to be decided.
    pub owed: &'static str,
    /// `/why` where nothing is known of it.
    pub why_nothing: &'static str,
    /// `/mute`, done.
    pub muted: &'static str,
    /// `/unmute`, done.
    pub unmuted: &'static str,
    /// `/reload`, done. `{skills}`, `{guides}`: how many there are.
    pub reloaded: &'static str,
    /// What could not be loaded: its place and what is wrong. `{problems}`: one a line.
    pub not_loaded: &'static str,
    /// The same where others read along: the names alone. `{names}`.
    pub not_loaded_names: &'static str,
    /// Somebody who is not an operator gave an operator's command. `{id}`.
    pub not_operator: &'static str,
    /// What it asked for could not be written down.
    pub not_kept: &'static str,
    /// `/status`: this chat. `{state}`.
    pub status_here: &'static str,
    /// Its state: as usual.
    pub state_usual: &'static str,
    /// Its state: muted.
    pub state_muted: &'static str,
    /// Its state: quiet. `{until}`.
    pub state_quiet: &'static str,
    /// `/status`, the rest, in an operator's private chat. `{version}`, `{messages}`, `{people}`, `{facts}`, `{rooms}`,
    /// `{reminders}`.
    pub status_all: &'static str,
    /// An operator is asked for leave. `{asker}`, `{place}`, `{method}`, `{does}`, `{args}`, `{until}`.
    pub ask_leave: &'static str,
    /// What stands for the arguments where they are none of the operator's business.
    pub args_hidden: &'static str,
    /// What stands for the arguments if there are none.
    pub args_none: &'static str,
    /// What stands for the asker if nobody spoke.
    pub asker_nobody: &'static str,
    /// A private chat as a place. `{name}`.
    pub in_private: &'static str,
    /// The buttons: once, always in this chat, no.
    pub leave_buttons: [&'static str; 3],
    /// What became of it, in the order of [`Leave`].
    leave: [&'static str; 5],
    /// A press that came too late, twice, or from somebody else.
    pub leave_gone: &'static str,
    /// How listening goes, there too. `{ended}`, `{failed}`.
    pub status_polls: &'static str,
    /// The last poll that failed. `{at}`, `{why}`.
    pub status_failure: &'static str,
    /// What each command does, in the order of [`Command::ALL`].
    commands: [&'static str; Command::ALL.len()],
    /// The gate's reasons, in the order of [`REASONS`].
    reasons: [&'static str; REASONS.len()],
}

/// Every reason that the gate gives for what it made of an event; a test compares it with the gate.
pub const REASONS: [&str; 23] = [
    "said to us alone",
    "mentions us",
    "answers us",
    "calls us by name",
    "a command for us",
    "a reminder is due",
    "an operator gave leave",
    "an operator decided",
    "a button of ours was pressed",
    "an edit",
    "a reaction",
    "a notice",
    "our own",
    "another bot",
    "an old command",
    "the speaker goes on",
    "asked to be quiet",
    "somebody we just answered goes on",
    "talk among others",
    "perhaps something to say",
    "a command of ours",
    "muted here",
    "more of an album",
];

impl Words {
    /// The words of a language.
    pub const fn of(language: Language) -> &'static Self {
        match language {
            Language::Zh => &ZH,
            Language::En => &EN,
        }
    }

    /// What a command does, in a few words: Telegram shows at most 256 characters.
    pub fn command(&self, command: Command) -> &'static str {
        let at = Command::ALL.iter().position(|known| *known == command);
        at.and_then(|at| self.commands.get(at)).copied().unwrap_or_default()
    }

    /// What an operator's answer came to.
    pub const fn leave(&self, leave: Leave) -> &'static str {
        let [once, chat, denied, late, restart] = self.leave;
        match leave {
            Leave::Once => once,
            Leave::Chat => chat,
            Leave::Denied => denied,
            Leave::Late => late,
            Leave::Restart => restart,
        }
    }

    /// A reason of the gate in this language; one that is not in the table stays as it is.
    pub fn reason<'a>(&self, why: &'a str) -> &'a str {
        let at = REASONS.iter().position(|known| *known == why);
        at.and_then(|at| self.reasons.get(at)).copied().unwrap_or(why)
    }
}

/// A text of the table with its `{…}` filled in.
pub fn filled(text: &str, with: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, behind)) = behind.split_once('}') else {
            out.push('{');
            rest = behind;
            continue;
        };
        if let Some((_, value)) = with.iter().find(|(known, _)| *known == name) {
            out.push_str(value);
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

static ZH: Words = Words {
    start: "你好，我是{name}。直接跟我说话就行：提问、闲聊、让我提醒你、让我记住什么都可以。\n\
            也可以把我拉进群里，我会跟着看大家聊天，叫我时应声，有话想说时也会开口。\n/help 看我听得懂的命令。",
    start_group: "大家好，我是{name}。我会跟着看大家聊天；想叫我就 @{username}、回复我，或者直接喊名字。\n/help 看我听得懂的命令。",
    help: "我听得懂的命令（不用命令，直接说话也行）：",
    help_operators: "只有管理我的人能用：",
    whoami: "你是 {name}（id {id}）。我第一次见到你是 {first}，最近一次是 {last}。",
    former_names: "你以前叫过：{names}。",
    remembered: "关于你，在这里能说的我记得这些：",
    nothing_remembered: "关于你，在这里能说的我什么也没记。",
    only_here: "这里只列出这个群能知道的；私聊里问我 /whoami，能看到更多。",
    nobody: "你现在是以群或频道的身份在说话，我不知道你是谁。用自己的账号再问我一次吧。",
    forget: "你要我忘掉你？我会在所有聊天里删掉：你说过的话、我们的全部私聊、我记得的关于你的事、你定的提醒。删了就找不回来。\n\
             确定的话，发 /forget 确认",
    forgotten: "好，我把你忘了：删掉了 {messages} 条消息、{facts} 件记得的事、{reminders} 个提醒。你再开口，我们就是第一次见面。",
    quiet: "好，{until} 之前没人叫我，我就不说话。想让我早点回来：/quiet off",
    quiet_off: "好，我又可以自己开口了。",
    quiet_unclear: "“{text}”我没看懂。可以写：/quiet、/quiet 2h、/quiet 明早九点、/quiet off",
    why_of: "关于 {name} 的消息 #{message}：",
    why_woke: "它让我开始想该怎么做",
    why_read: "我看了，没有因此开口",
    because: "原因：{why}",
    score: "值得开口的程度：{score}（满分 1）",
    answered: "结果：回答了。",
    unknown: "结果：可能已经回答了，我不确定，所以没有再发一遍。",
    let_go: "结果：没有回答（{why}）。",
    owed: "结果：还没决定。",
    why_nothing: "我手头没有可以解释的消息。回复某条消息再发 /why，我就说说那一条；太久以前的，或者我重启之前的，我就说不清了。",
    muted: "好，这里我不再开口，也不再想，直到 /unmute。消息我还会继续看。",
    unmuted: "好，我回来了。",
    not_kept: "没有办成：磁盘写不进去，所以一切照旧。运行我的人能在日志里看到原因。",
    reloaded: "技能重新读过了：{skills} 个技能，{guides} 份指南，下一轮起用新的。",
    not_loaded: "有问题的：\n{problems}",
    not_loaded_names: "有问题的：{names}。私聊里再发 /reload 可以看详情。",
    not_operator: "这个命令只有管理我的人能用。你的 id 是 {id}；管理者可以把它写进配置的 [privacy] operators。",
    status_here: "这个聊天：{state}。",
    state_usual: "照常",
    state_muted: "已静音（/unmute 恢复）",
    state_quiet: "{until} 之前不主动开口",
    status_all: "groupmate {version}\n见过 {people} 人，{rooms} 个聊天，{messages} 条消息；记得 {facts} 件事，定了 {reminders} 个提醒。",
    ask_leave: "要你同意：{method}\n{does}\n\n在哪：{place}\n谁要的：{asker}\n{args}\n\n{until} 之前没有回答，就当不同意。",
    args_hidden: "参数：只有那个聊天里的人能看",
    args_none: "参数：没有",
    asker_nobody: "没有人要求，是我自己想做",
    in_private: "和{name}的私聊",
    leave_buttons: ["同意这一次", "在那里一直同意", "不同意"],
    leave: [
        "✅ 同意了这一次。",
        "✅ 同意了，在那里以后也不用再问。",
        "❌ 没有同意。",
        "⌛ 没有及时回答，当作不同意。",
        "🔄 回答之前我重启了，当作不同意。",
    ],
    leave_gone: "这件事已经有结果了，或者不由你决定。",
    status_polls: "Telegram 上次应答：{ended}；启动以来轮询失败 {failed} 次。",
    status_failure: "最近一次失败在 {at}：{why}",
    commands: [
        "打个招呼",
        "看看我听得懂哪些命令",
        "看看我记得你些什么",
        "问我刚才为什么说话或不说话",
        "让我安静一会儿：/quiet、/quiet 2h、/quiet off",
        "让我忘掉你，删掉和你有关的一切",
        "我现在怎么样",
        "让我在这里完全不说话",
        "让我重新说话",
        "重新读技能文件夹",
    ],
    reasons: [
        "私下对我说的",
        "提到了我",
        "回复了我",
        "喊了我的名字",
        "给我的命令",
        "有提醒到点了",
        "管理我的人同意了一个操作",
        "管理我的人有了决定",
        "有人按了我的按钮",
        "一次编辑",
        "一个表情回应",
        "一条通知",
        "我自己说的",
        "另一个机器人",
        "过时的命令",
        "说话的人还没说完",
        "有人让我安静",
        "我刚回答过的人接着说",
        "别人之间的谈话",
        "也许有话可说",
        "我听得懂的命令",
        "我在这里被静音了",
        "同一组图片里的",
    ],
};

static EN: Words = Words {
    start: "Hi, I'm {name}. Just talk to me: ask, chat, have me remind you of something or remember it.\n\
            Add me to a group and I read along, answer when I'm called, and now and then say something of my own.\n\
            /help shows the commands I know.",
    start_group: "Hi all, I'm {name}. I read along; to call me, mention @{username}, reply to me or say my name.\n\
                  /help shows the commands I know.",
    help: "Commands I know (plain words do as well):",
    help_operators: "For my operators only:",
    whoami: "You are {name} (id {id}). I first saw you on {first}, and last on {last}.",
    former_names: "You used to be called {names}.",
    remembered: "What I remember of you and may say here:",
    nothing_remembered: "I remember nothing of you that I may say here.",
    only_here: "This is only what this group may know; ask /whoami in private to see more.",
    nobody: "You speak as a group or channel, so I don't know who you are. Ask again from your own account.",
    forget: "Shall I forget you? In every chat I would delete what you said, all of our private talk, what I remember of \
             you and the reminders you set. It can't be undone.\nTo go ahead: /forget yes",
    forgotten: "All right, you are forgotten: {messages} messages, {facts} facts and {reminders} reminders are deleted. \
                When you speak again, we meet for the first time.",
    quiet: "All right, unless I'm called I say nothing until {until}. To have me back earlier: /quiet off",
    quiet_off: "All right, I may speak up again.",
    quiet_unclear: "I can't read “{text}” as a time. Write /quiet, /quiet 2h, /quiet tomorrow 9:00 or /quiet off",
    why_of: "About #{message} from {name}:",
    why_woke: "it made me think about what to do",
    why_read: "I read it and did not speak up because of it",
    because: "Reason: {why}",
    score: "How much spoke for speaking up: {score} of 1",
    answered: "Outcome: answered.",
    unknown: "Outcome: perhaps answered; I can't be sure, so I didn't send it again.",
    let_go: "Outcome: not answered ({why}).",
    owed: "Outcome: not decided yet.",
    why_nothing: "There is no message I could explain. Reply /why to one and I'll tell about that one; what is long \
                  ago, or from before my last restart, I can't tell.",
    muted: "All right, I neither speak nor think here until /unmute. I go on reading.",
    unmuted: "All right, I'm back.",
    not_kept: "That did not work: it could not be written to disk, so nothing has changed. The log says why.",
    reloaded: "Skills read again: {skills} skills and {guides} guides, in use from the next turn on.",
    not_loaded: "With problems:\n{problems}",
    not_loaded_names: "With problems: {names}. Send /reload in private to see which.",
    not_operator: "Only my operators may do that. Your id is {id}; an operator can put it into [privacy] operators of the \
                   configuration.",
    status_here: "This chat: {state}.",
    state_usual: "as usual",
    state_muted: "muted (/unmute ends it)",
    state_quiet: "nothing unasked until {until}",
    status_all: "groupmate {version}\n{people} people, {rooms} chats and {messages} messages seen; \
                 {facts} facts remembered, {reminders} reminders set.",
    ask_leave: "I need your leave: {method}\n{does}\n\nWhere: {place}\nWho wants it: {asker}\n{args}\n\n\
                No answer by {until} counts as no.",
    args_hidden: "Arguments: only for those in that chat",
    args_none: "Arguments: none",
    asker_nobody: "nobody asked, it was my own idea",
    in_private: "a private chat with {name}",
    leave_buttons: ["Allow once", "Always allow there", "Deny"],
    leave: [
        "✅ Allowed once.",
        "✅ Allowed, there from now on without asking.",
        "❌ Denied.",
        "⌛ No answer in time, which counts as no.",
        "🔄 I was restarted before you answered, which counts as no.",
    ],
    leave_gone: "That was decided already, or it is not yours to decide.",
    status_polls: "Telegram last answered a poll at {ended}; {failed} polls failed since the start.",
    status_failure: " The last did at {at}: {why}",
    commands: [
        "Say hello",
        "See which commands I know",
        "See what I remember of you",
        "Ask why I spoke just now, or did not",
        "Have me be quiet for a while: /quiet, /quiet 2h, /quiet off",
        "Have me forget you and delete all about you",
        "How I am",
        "Have me say nothing at all here",
        "Have me speak again",
        "Have me read the skill folders again",
    ],
    reasons: REASONS,
};
