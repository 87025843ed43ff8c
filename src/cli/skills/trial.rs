//! `groupmate skills try`: one script in the sandbox, against the configured skills, in a chat that nobody else sees.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;

use crate::app::parts::{self, Plan, Reach};
use crate::attention::gate::Reason;
use crate::calls::fetch::Web;
use crate::calls::{DOCS, Desk};
use crate::chat::ids::{PersonId, RoomId};
use crate::chat::person::Profile;
use crate::cli::demo;
use crate::clock::{Clock, Dice};
use crate::config::{Config, Secret};
use crate::journal::tape::Tape;
use crate::playground::Server;
use crate::prompt::observation;
use crate::replay::Scratch;
use crate::sandbox::Script;
use crate::skills::disclose;
use crate::skills::registry::Registry;
use crate::store::Store;

/// Bytes of output that are kept and shown: a reader at a terminal wants more than a prompt can bear.
const OUTPUT: usize = 64 * 1024;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The script, such as 'await tavily.search({ query: "weather" })'
    code: String,
}

impl Arguments {
    /// Runs the script. Memory is empty, Telegram is the embedded server; the network is the real one.
    pub(super) async fn run(self, mut config: Config, registry: Registry, json: bool) -> anyhow::Result<ExitCode> {
        let clock = Clock::real();
        let bot = Profile {
            id: PersonId(1),
            name: config.persona.name.clone(),
            username: Some("groupmate_bot".into()),
            is_bot: true,
            language: None,
        };
        let server = Server::start(bot, clock.clone()).await?;
        let group = server.add_group("try");
        let scratch = Scratch::beside(&demo::temporary().join("groupmate-try"))?;
        config.telegram.api = server.url();
        config.telegram.typing.speed = 0;
        config.set_token(Secret::new(server.token()));
        if config.model("turn").is_err() {
            // Nothing here asks a model, but a house is not built without one.
            config.set_model(&demo::nobody());
        }
        let store = Arc::new(Store::open(scratch.path(), config.cache)?);
        let (me, _) = parts::who_we_are(&config).await?;
        let tape = Tape::live(clock.clone(), None)?;
        let web = Web { allowed: config.network_allow.iter().copied().collect(), stand_ins: Vec::new() };
        let seed = Dice::fresh().seed();
        let plan = Plan { config, me, tape, seed, store, registry, reach: Reach::World { web } };
        let (house, _post) = parts::house(plan).await?;
        let room = RoomId { chat: group, topic: None };
        let reader = house.config.circles.reader(group, BTreeSet::new());
        let desk = Desk::new(house.clone(), room, Reason::Direct, reader, Vec::new(), seed);
        let now = clock.now();
        let script = Script {
            number: 1,
            source: self.code.clone(),
            skills: desk.skills().registry.globals(),
            ctx: serde_json::Value::Null,
            now,
            seed,
            zone: house.config.zone.name().to_owned(),
            deadline: house.config.sandbox.deadline,
            output_limit: OUTPUT,
        };
        desk.begin(1, now, &BTreeSet::new());
        let mut child = house.pool.take().await?;
        let report = child.run(script, &desk).await;
        desk.ended(report.error.is_some());
        let docs = desk.take_docs().or_else(|| {
            let error = report.error.as_ref()?;
            disclose::disclose(&desk.skills().registry, error.call.as_deref(), &[&self.code], &BTreeSet::new(), DOCS)
        });
        let seen = observation::report(&self.code, &report, docs.as_ref().map(|d| d.text.as_str()), OUTPUT);
        if json {
            let documents = docs.map(|docs| docs.paths).unwrap_or_default();
            let all = json!({ "report": report, "observation": seen, "documents": documents });
            say!("{}", serde_json::to_string_pretty(&all)?);
        } else {
            say!("{seen}");
        }
        Ok(if report.error.is_none() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}
