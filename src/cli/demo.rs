//! `groupmate demo`: a story in the terminal, offline. Rooms, scripts, sandbox, store and Bot API server are real; only
//! what the model and the network said comes from a recording of this same story.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::sync::broadcast::Receiver;

use super::story::{ACTORS, BEATS, BEGIN, BOT, GROUP, Place, ZONE};
use super::tell::{Detail, Teller};
use crate::app::App;
use crate::app::parts::{self, Plan, Reach};
use crate::calls::fetch::Web;
use crate::calls::loading;
use crate::chat::ids::{ChatId, PersonId};
use crate::chat::person::Profile;
use crate::clock::Clock;
use crate::config::{Config, ModelSettings, RealEnv};
use crate::journal::stop::Stop;
use crate::journal::tape::Tape;
use crate::journal::{Kind, Line};
use crate::playground::Server;
use crate::replay::Scratch;
use crate::store::Store;
use crate::telegram::poll::Poller;
use crate::time::{Span, Timestamp, Zone};

/// The recorded session, of which only the model's and the network's answers are used here.
const RECORDING: &str = include_str!("../../tests/replays/demo/journal.jsonl");
/// From which all chance of the story is drawn.
const SEED: u64 = 20_260_514;
/// How long the story waits for a step of the agent: a model by hand is slow.
const PATIENCE: Duration = Duration::from_secs(1800);

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Do not pause between lines
    #[arg(long)]
    fast: bool,
    /// Play the story with the model of this configuration, and record it to a new journal
    #[arg(long, requires = "config", hide = true)]
    record: Option<PathBuf>,
    /// The configuration to record with
    #[arg(long, hide = true)]
    config: Option<PathBuf>,
    /// While recording, HOST=IP:PORT that stands in for a host of the network
    #[arg(long, hide = true)]
    stand_in: Vec<String>,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let place = match &arguments.record {
        Some(journal) => journal.clone(),
        None => temporary().join("groupmate-demo"),
    };
    let scratch =
        Scratch::beside(&place).with_context(|| format!("a folder for the story beside {}", place.display()))?;
    let zone = Zone::named(ZONE).map_err(anyhow::Error::msg)?;
    let begin = zone.parse(BEGIN).ok_or_else(|| anyhow::anyhow!("the story has no beginning"))?;
    let clock = Clock::jumping(begin);
    let stage = Stage::set(&arguments, scratch.path(), clock.clone()).await?;
    let mut teller = Teller::new(BOT.1, &zone, Detail::Everything);
    say!("{}", introduction(&arguments));
    let told = stage.play(&arguments, &clock, &mut teller).await;
    let count = teller.asks_of_turns.iter().map(u32::to_string).collect::<Vec<_>>().join("、");
    stage.app.close().await?;
    told?;
    say!("\n各轮的模型调用次数：{count}。普通的一问一答只要一次；写错一次调用，多一次。");
    say!("上线只要五行，见 README；想先在终端里和它聊：groupmate chat --config config.toml");
    Ok(ExitCode::SUCCESS)
}

fn introduction(arguments: &Arguments) -> &'static str {
    if arguments.record.is_some() {
        "（录制：模型在线作答。）"
    } else {
        "groupmate 演示：离线，不需要账号和密钥。房间、沙箱子进程、sled 存储和内嵌的 Bot API 服务器都是真的，\n\
         只有模型的回复和 Tavily 的 HTTP 应答来自一次真实运行的录音。"
    }
}

struct Stage {
    app: App,
    server: Server,
    group: ChatId,
    lines: Receiver<Arc<Line>>,
}

impl Stage {
    async fn set(arguments: &Arguments, data: &Path, clock: Clock) -> anyhow::Result<Self> {
        let bot = Profile {
            id: PersonId(BOT.0),
            name: BOT.1.to_owned(),
            username: Some(BOT.2.to_owned()),
            is_bot: true,
            language: None,
        };
        let server = Server::start(bot, clock.clone()).await?;
        let group = server.add_group(GROUP);
        for actor in &ACTORS {
            server.add_person(actor.id, actor.name, actor.username, Some("zh-hans"));
            server.join(group, actor.id);
        }
        let mut config = Config::offline(data, &server.url())?;
        config.set_token(crate::config::Secret::new(server.token()));
        match &arguments.config {
            Some(path) => {
                let given = Config::load(path, &RealEnv)?;
                config.set_model(given.model("turn")?);
                config.skills = given.skills;
            }
            None => config.set_model(&nobody()),
        }
        config.zone = Zone::named(ZONE).map_err(anyhow::Error::msg)?;
        let (registry, _) = loading::skills(&config);
        let store = Arc::new(Store::open(data, config.cache)?);
        let (me, _) = parts::who_we_are(&config).await?;
        let tape = match &arguments.record {
            Some(journal) => {
                let mut header = parts::header(&config, &registry, &me, &clock, &store);
                header.seed = SEED;
                Tape::live(clock, Some((journal, &header)))?
            }
            None => Tape::cassette(clock, recording()?),
        };
        let lines = tape.subscribe();
        let poller = Poller::new(&server.url(), server.token(), None);
        let web = Web { allowed: Vec::new(), stand_ins: stand_ins(&arguments.stand_in)? };
        let plan = Plan { config, me, tape, seed: SEED, store, registry, reach: Reach::World { web } };
        let (house, post) = parts::house(plan).await?;
        let mut app = App::start(house, post)?;
        app.listen(poller);
        Ok(Self { app, server, group, lines })
    }

    async fn play(&self, arguments: &Arguments, clock: &Clock, teller: &mut Teller) -> anyhow::Result<()> {
        let mut lines = self.lines.resubscribe();
        let mut scene = None;
        let pause =
            if arguments.fast || arguments.record.is_some() { Duration::ZERO } else { Duration::from_millis(250) };
        let zone = teller.zone.clone();
        let day = BEGIN.get(..10).unwrap_or_default();
        for beat in &BEATS {
            let at = zone.parse(&format!("{day} {}", beat.at)).unwrap_or(Timestamp(0));
            clock.sleep_until(at).await;
            let actor = &ACTORS[beat.who];
            let chat = match beat.place {
                Place::Group => self.group,
                Place::Dm => actor.id.dm(),
            };
            if scene != Some(chat) {
                scene = Some(chat);
                match beat.place {
                    Place::Group => teller.scene(&format!("群聊「{GROUP}」")),
                    Place::Dm => teller.scene(&format!("与 {} 的私聊", actor.name)),
                }
            }
            // Time stands still until the room has heard it; what happens next is the room's own affair.
            let hold = clock.hold();
            let id = self.server.say(chat, actor.id, beat.says, None);
            teller.said(at, actor.name, id.0, None, beat.says);
            self.until(&mut lines, teller, pause, |line| {
                line.kind == Kind::Heard
                    && line.question["message"] == id.0
                    && line.room.is_some_and(|r| r.chat == chat)
            })
            .await?;
            drop(hold);
            if beat.is_for_us {
                self.until(&mut lines, teller, pause, is_end_of_turn).await?;
            }
        }
        teller.scene("二十分钟后");
        self.until(&mut lines, teller, pause, |line| line.kind == Kind::Alarm).await?;
        self.until(&mut lines, teller, pause, is_end_of_turn).await
    }

    /// Tells every line up to the one that is waited for.
    async fn until(
        &self,
        lines: &mut Receiver<Arc<Line>>,
        teller: &mut Teller,
        pause: Duration,
        is_it: impl Fn(&Line) -> bool,
    ) -> anyhow::Result<()> {
        loop {
            let line = tokio::select! {
                line = tokio::time::timeout(PATIENCE, lines.recv()) => line??,
                stop = self.app.broken() => match stop {
                    Stop::Journal(what) => anyhow::bail!("the recording cannot go on: {what}"),
                    Stop::Diverged(d) => anyhow::bail!("the story left its recording at {}: {} / {}", d.step, d.recorded, d.now),
                },
            };
            teller.line(&line);
            if !pause.is_zero() && matches!(line.kind, Kind::Asked | Kind::Acted | Kind::Settled) {
                tokio::time::sleep(pause).await;
            }
            if is_it(&line) {
                return Ok(());
            }
        }
    }
}

/// The model of a story whose replies are recorded: it is never asked.
/// A model that nobody asks.
pub(super) fn nobody() -> ModelSettings {
    ModelSettings {
        base_url: "http://127.0.0.1:9".to_owned(),
        name: "recorded".to_owned(),
        key: None,
        timeout: Span::secs(1),
        max_tokens: 2048,
        temperature: None,
        context_tokens: 16_384,
    }
}

pub(super) fn is_end_of_turn(line: &Line) -> bool {
    line.kind == Kind::Settled && line.question["of"].get("turn").is_some()
}

fn recording() -> anyhow::Result<Vec<Line>> {
    let lines = RECORDING.lines().skip(1).filter(|line| !line.is_empty());
    lines.map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn stand_ins(written: &[String]) -> anyhow::Result<Vec<(String, SocketAddr)>> {
    let pairs: BTreeMap<&str, &str> = written.iter().filter_map(|pair| pair.split_once('=')).collect();
    pairs.into_iter().map(|(host, address)| Ok((host.to_owned(), address.parse()?))).collect()
}

#[expect(clippy::disallowed_methods, reason = "a folder that is gone after the demo; no setting hides in it")]
pub(super) fn temporary() -> PathBuf {
    std::env::temp_dir()
}
