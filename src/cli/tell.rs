//! A session as a story: what is said, thought, run and remembered, from the journal's lines.

use std::io::IsTerminal as _;

use serde_json::Value;

use crate::attention::gate::Reason;
use crate::call::{Call, Outcome, Settled};
use crate::journal::{Kind, Line};
use crate::memory::change::Change;
use crate::prompt::request::{Part, Reply, Request};
use crate::telegram::outbox::{Act, ActKind, Acted};
use crate::time::{Timestamp, Zone};
use crate::turn::reply;

/// How many lines of what the host tells the model are shown.
const OBSERVED: usize = 48;

/// How much of a session is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Thoughts, scripts, calls and memory too.
    Everything,
    /// Only what people in the chat see.
    Chat,
}

/// Tells a session.
#[derive(Debug)]
pub(super) struct Teller {
    pub(super) name: String,
    pub(super) zone: Zone,
    pub(super) detail: Detail,
    /// Model calls of the turn that goes on.
    asks: u32,
    /// Model calls of every turn so far.
    pub(super) asks_of_turns: Vec<u32>,
    colour: bool,
}

impl Teller {
    pub(super) fn new(name: &str, zone: &Zone, detail: Detail) -> Self {
        let colour = std::io::stdout().is_terminal();
        Self { name: name.to_owned(), zone: zone.clone(), detail, asks: 0, asks_of_turns: Vec::new(), colour }
    }

    /// A heading.
    pub(super) fn scene(&self, text: &str) {
        say!("\n{}", self.paint("1", &format!("── {text} ──")));
    }

    /// Somebody says something.
    pub(super) fn said(&self, at: Timestamp, who: &str, id: i64, reply_to: Option<i64>, text: &str) {
        let quote = reply_to.map(|id| format!(" ↩#{id}")).unwrap_or_default();
        say!("{} {}{quote}：{text}", self.dim(&format!("{} #{id}", self.clock(at))), self.paint("1;36", who));
    }

    /// A line of the journal.
    pub(super) fn line(&mut self, line: &Line) {
        if line.kind == Kind::Acted {
            self.acted(line);
        }
        if self.detail == Detail::Chat {
            return;
        }
        match line.kind {
            Kind::Woke => self.woke(line),
            Kind::Asking => self.asking(line),
            Kind::Asked => self.asked(line),
            Kind::Called => self.called(line),
            Kind::Alarm => self.aside("⏰ 一条提醒到点了"),
            Kind::Settled => self.settled(line),
            Kind::Decided => self.aside("⌛ 没有人及时同意"),
            Kind::Update
            | Kind::Event
            | Kind::Judged
            | Kind::Heard
            | Kind::Invoked
            | Kind::Fetched
            | Kind::Reloaded
            | Kind::SkillLoaded
            | Kind::SkillResourceLoaded
            | Kind::Member
            | Kind::Polled
            | Kind::Described
            | Kind::Acted
            | Kind::Filed
            | Kind::Obeyed
            | Kind::Ran => {}
        }
    }

    fn woke(&mut self, line: &Line) {
        self.asks = 0;
        let Ok(reason) = serde_json::from_value::<Reason>(line.answer["reason"].clone()) else { return };
        let why = match reason {
            Reason::Direct => "有人找它",
            Reason::FollowUp => "刚才的话题还在继续",
            Reason::Ambient => "它也许有话想说",
            Reason::Agenda => "有件事到时间了",
            Reason::Idle => "安静太久了",
        };
        self.aside(&format!("{} 醒了：{why}", self.name));
    }

    fn asking(&mut self, line: &Line) {
        let Ok(request) = serde_json::from_value::<Request>(line.answer.clone()) else { return };
        if request.messages.len() > 1
            && let Some(last) = request.messages.last()
        {
            self.aside("宿主告诉模型：");
            let text: String = last
                .parts
                .iter()
                .filter_map(|part| match part {
                    Part::Text(text) => Some(text.as_str()),
                    Part::Image(_) => None,
                })
                .collect();
            let count = text.lines().count();
            for shown in text.lines().take(OBSERVED) {
                say!("{}", self.paint("33", &format!("  ┆   {shown}")));
            }
            if count > OBSERVED {
                self.aside(&format!("  …（还有 {} 行）", count - OBSERVED));
            }
        }
        self.asks += 1;
        let bytes = request.system.len() + request.messages.iter().map(|m| format!("{m:?}").len()).sum::<usize>();
        self.aside(&format!("第 {} 次问模型（提示约 {} KB）", self.asks, bytes.div_ceil(1024)));
    }

    fn asked(&self, line: &Line) {
        let Ok(reply) = serde_json::from_value::<Reply>(line.answer["Ok"].clone()) else {
            return self.aside("模型这次没有答上来");
        };
        let parsed = reply::parse(&reply.text);
        for thought in parsed.thoughts.lines().filter(|thought| !thought.trim().is_empty()) {
            say!("{}", self.paint("2;3", &format!("  ┆ 💭 {thought}")));
        }
        for code in parsed.script.iter().flat_map(|script| script.lines()) {
            say!("{}", self.paint("32", &format!("  ┆   {code}")));
        }
    }

    fn called(&self, line: &Line) {
        let Ok(call) = serde_json::from_value::<Call>(line.question.clone()) else { return };
        let Ok(settled) = serde_json::from_value::<Settled>(line.answer.clone()) else { return };
        if call.path.starts_with('$') {
            return;
        }
        let what = match &settled.outcome {
            Outcome::Done(_) if !settled.did.is_empty() => settled.did,
            Outcome::Done(value) => format!("得到 {} 字节", value.to_string().len()),
            Outcome::Failed(e) | Outcome::Denied(e) | Outcome::Parked(e) | Outcome::Unknown(e) => {
                format!("{}：{}", e.name, e.message.lines().next().unwrap_or_default())
            }
        };
        self.aside(&format!("▸ {} → {what}", call.path));
    }

    fn acted(&self, line: &Line) {
        let Ok(act) = serde_json::from_value::<Act>(line.question.clone()) else { return };
        let Ok(acted) = serde_json::from_value::<Acted>(line.answer["Ok"].clone()) else {
            say!("  （没有发出去：{}）", line.answer["Err"]);
            return;
        };
        let name = self.paint("1;35", &self.name);
        match act.kind {
            ActKind::React { message, emoji } => {
                say!("{} {name} 给 #{message} 点了 {}", self.dim(&self.clock(line.at)), emoji.unwrap_or_default());
            }
            ActKind::Ask { says, .. } => say!("{} {name}：{says}", self.dim(&self.clock(line.at))),
            ActKind::Edit { message, .. } => {
                let texts = acted.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n");
                say!("{} {name} 改了 #{message}：{texts}", self.dim(&self.clock(line.at)));
            }
            ActKind::Text { .. } => {
                for message in acted.messages {
                    let quote = message.reply_to.map(|q| format!(" ↩#{}", q.id)).unwrap_or_default();
                    let head = self.dim(&format!("{} #{}", self.clock(line.at), message.id));
                    say!("{head} {name}{quote}：{}", message.text);
                }
            }
        }
    }

    fn settled(&mut self, line: &Line) {
        let changes: Vec<Change> = serde_json::from_value(line.question["changes"].clone()).unwrap_or_default();
        for change in changes {
            match change {
                Change::AddFact(fact) => self.aside(&format!("🧠 记住了：{}", fact.text)),
                Change::AddReminder(reminder) => {
                    self.aside(&format!("📌 定了提醒：{}，{}", self.zone.with_weekday(reminder.due), reminder.what));
                }
                Change::CancelReminder { id, .. } => self.aside(&format!("📌 取消了提醒 {id}")),
                Change::SawPerson { .. }
                | Change::Supersede { .. }
                | Change::Mark { .. }
                | Change::Considered { .. }
                | Change::SetCtx { .. }
                | Change::Hush { .. }
                | Change::Mute { .. }
                | Change::Describe { .. }
                | Change::Forget { .. } => {}
            }
        }
        if let Some(asks) = line.question["of"]["asks"].as_u64() {
            let passed = match &line.question["of"]["ending"]["passed"]["why"] {
                Value::String(why) => format!("，没有说话（{why}）"),
                _ => String::new(),
            };
            self.asks_of_turns.push(u32::try_from(asks).unwrap_or(u32::MAX));
            self.aside(&format!("这一轮用了 {asks} 次模型调用{passed}"));
        }
    }

    fn aside(&self, text: &str) {
        say!("{}", self.dim(&format!("  ┆ {text}")));
    }

    fn clock(&self, at: Timestamp) -> String {
        self.zone.minute(at).get(11..).unwrap_or_default().to_owned()
    }

    fn dim(&self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
