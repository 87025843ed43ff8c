//! One Boa context with the prelude, and what drives its jobs. No threads, no async: it reads a frame when it waits.

mod driver;
mod natives;
mod output;
mod place;
mod skills;
mod sort;

use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use boa_engine::builtins::promise::PromiseState;
use boa_engine::context::ContextBuilder;
use boa_engine::job::JobExecutor as _;
use boa_engine::module::IdleModuleLoader;
use boa_engine::object::JsObject;
use boa_engine::object::builtins::{JsFunction, JsPromise};
use boa_engine::{Context, JsError, JsResult, JsString, JsValue, Source};
use serde::Deserialize;
use serde_json::Value;

use self::driver::{Hooks, HostClock, Jobs};
use self::natives::{LINK, Link, ended_note, json, text_of};
use self::output::{Output, bounded};
use super::explain::{self, Seen};
use super::notebook::{self, Prepared};
use super::wire::{self, Ended, ToChild};
use super::{LARGEST_CTX, Script};
use crate::call::{CallError, Fault, Origin, ScriptError};
use crate::clock::Dice;

/// What stacks call a script, so that its places are told from those of the prelude and of `eval`.
const FILE: &str = "the-script";
/// How deep JavaScript may call itself.
const RECURSION: usize = 400;
/// Slots of the engine's own value stack.
const VALUES: usize = 100_000;
/// The engine of one child.
pub(super) struct Engine {
    context: Context,
    jobs: Rc<Jobs>,
    hooks: Rc<Hooks>,
    clock: Rc<HostClock>,
    prelude: JsObject,
    skills: BTreeMap<String, JsValue>,
    /// Invocations that wait for their promise.
    open: Vec<(u32, JsPromise)>,
}

#[derive(Deserialize)]
struct Described {
    name: String,
    message: String,
    stack: String,
    call: Option<String>,
}

impl Engine {
    pub(super) fn new() -> Result<Self, String> {
        let (jobs, hooks, clock): (Rc<Jobs>, Rc<Hooks>, Rc<HostClock>) = Default::default();
        let mut context = ContextBuilder::new()
            .job_executor(jobs.clone())
            .host_hooks(hooks.clone())
            .clock(clock.clone())
            // The default one would look for files.
            .module_loader(Rc::new(IdleModuleLoader))
            .can_block(false)
            .build()
            .map_err(|e| e.to_string())?;
        context.runtime_limits_mut().set_recursion_limit(RECURSION);
        context.runtime_limits_mut().set_stack_size_limit(VALUES);
        sort::install(&mut context).map_err(|e| e.to_string())?;
        let prelude = natives::prelude(&mut context).map_err(|e| e.to_string())?;
        place::install(&prelude, &mut context).map_err(|e| e.to_string())?;
        Ok(Self { context, jobs, hooks, clock, prelude, skills: BTreeMap::new(), open: Vec::new() })
    }

    /// Runs a script to its end, reading answers to its calls as they come.
    pub(super) fn run(&mut self, script: Script, from: &mut BufReader<impl Read>) -> Ended {
        self.clock.0.set(script.now.0);
        place::set_zone(&script.zone);
        self.hooks.rejected.borrow_mut().clear();
        LINK.with_borrow_mut(|link| {
            *link = Link {
                printed: Output::new(script.output_limit),
                dice: Some(Dice::seeded(script.seed)),
                begun: script.now.0,
                ..Link::default()
            };
        });
        let mut ended = match notebook::prepare(&script.source) {
            Ok(prepared) => self.evaluate(&script, &prepared, from),
            Err(wrong) => Ended {
                error: Some(ScriptError {
                    kind: Fault::Syntax,
                    name: "SyntaxError".to_owned(),
                    message: wrong.message,
                    position: wrong.position,
                    call: None,
                }),
                ..Ended::default()
            },
        };
        ended.output = LINK.with_borrow_mut(|link| std::mem::take(&mut link.printed)).finish();
        ended.value = ended.value.map(|value| bounded(&value, script.output_limit));
        ended
    }

    fn evaluate(&mut self, script: &Script, prepared: &Prepared, from: &mut BufReader<impl Read>) -> Ended {
        let mut ended = Ended::default();
        let settled = self.begin(script, prepared).and_then(|main| self.settle(&main, from));
        // Timers that nobody waits for any more are over with the script.
        match self.prelude_call("cancel", &[]) {
            Ok(count) if count.as_number().is_some_and(|n| n > 0.0) => {
                let count = count.as_number().unwrap_or(0.0);
                ended_note(&format!("({count} timers were still waiting; they ended with the script)"));
            }
            Ok(_) | Err(_) => {}
        }
        match settled {
            Ok(Settled::Fulfilled(value)) => self.value(&mut ended, &value),
            Ok(Settled::Stuck) => {
                ended.error = Some(ScriptError {
                    kind: Fault::Stuck,
                    name: "Error".to_owned(),
                    message: "it awaits something that nothing will settle: a promise without call or timer behind it"
                        .to_owned(),
                    position: None,
                    call: None,
                });
            }
            Ok(Settled::Gone) => LINK.with_borrow_mut(|link| link.is_broken = true),
            Err(error) => ended.error = Some(self.error(&error, prepared, &script.skills)),
        }
        let unhandled = self.hooks.rejected.borrow_mut().pop();
        if ended.error.is_none()
            && let Some(promise) = unhandled
            && let Ok(promise) = JsPromise::from_object(promise)
            && let PromiseState::Rejected(reason) = promise.state()
        {
            ended.value = None;
            ended.error = Some(self.error(&JsError::from_opaque(reason), prepared, &script.skills));
        }
        if ended.error.is_none()
            && let Some(note) = &prepared.uncalled
        {
            ended_note(note);
        }
        self.ctx(script, &mut ended);
        ended
    }

    fn begin(&mut self, script: &Script, prepared: &Prepared) -> JsResult<JsPromise> {
        let (skills, ctx) = (self.made(&serde_json::json!(script.skills))?, self.made(&script.ctx)?);
        self.prelude_call("begin", &[skills, ctx])?;
        let source = Source::from_bytes(&prepared.code).with_path(Path::new(FILE));
        let code = self.context.eval(source)?;
        let function = code.as_object().and_then(|object| JsFunction::from_object(object.clone()));
        let Some(function) = function else {
            return Err(boa_engine::JsNativeError::typ().with_message("the script is no function").into());
        };
        let names = ["result", "returned", "keep"];
        let mut tools = Vec::new();
        for name in names {
            tools.push(self.prelude.get(JsString::from(name), &mut self.context)?);
        }
        let promise = function.call(&JsValue::undefined(), &tools, &mut self.context)?;
        match promise.as_object() {
            Some(object) => JsPromise::from_object(object.clone()),
            None => JsPromise::resolve(promise, &mut self.context),
        }
    }

    /// Runs jobs and takes answers until the main promise is settled and no call is open.
    fn settle(&mut self, main: &JsPromise, from: &mut BufReader<impl Read>) -> JsResult<Settled> {
        loop {
            self.jobs.clone().run_jobs(&mut self.context)?;
            let waiting = self.prelude_call("waiting", &[])?.as_number().unwrap_or(0.0) > 0.0;
            let timers = self.prelude_call("timers", &[])?.as_number().unwrap_or(0.0) > 0.0;
            match main.state() {
                PromiseState::Fulfilled(value) if !waiting => return Ok(Settled::Fulfilled(value)),
                PromiseState::Rejected(reason) if !waiting => return Err(JsError::from_opaque(reason)),
                PromiseState::Pending if !waiting && !timers => return Ok(Settled::Stuck),
                PromiseState::Fulfilled(_) | PromiseState::Rejected(_) | PromiseState::Pending => {}
            }
            match wire::hear::<ToChild>(from) {
                Ok(Some(ToChild::Answer { id, result, now })) => {
                    self.clock.0.set(now.0);
                    self.answer(id, &result)?;
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return Ok(Settled::Gone),
            }
        }
    }

    fn answer(&mut self, id: u32, result: &Result<Value, CallError>) -> JsResult<()> {
        let value = match result {
            Ok(value) => self.made(value)?,
            Err(error) => self.made(&serde_json::json!(error))?,
        };
        self.prelude_call("settle", &[JsValue::from(id), JsValue::from(result.is_ok()), value]).map(drop)
    }

    /// A value made in the engine. Its own reader of JSON compiles the text as a program first, and keeps its words.
    fn made(&mut self, value: &Value) -> JsResult<JsValue> {
        JsValue::from_json(value, &mut self.context)
    }

    fn value(&mut self, ended: &mut Ended, value: &JsValue) {
        #[derive(Deserialize)]
        struct Shown {
            value: Option<String>,
            origin: Value,
        }
        let shown = self.prelude_call("ended", std::slice::from_ref(value)).ok().and_then(|text| text_of(&text));
        let Some(shown) = shown.and_then(|text| serde_json::from_str::<Shown>(&text).ok()) else { return };
        ended.value = shown.value;
        ended.origin = match shown.origin {
            Value::String(word) if word == "returned" => Origin::Returned,
            Value::Number(id) => {
                id.as_u64().and_then(|id| u32::try_from(id).ok()).map_or(Origin::Computed, Origin::Call)
            }
            _ => Origin::Computed,
        };
    }

    fn ctx(&mut self, script: &Script, ended: &mut Ended) {
        let text = match self.prelude_call("ctx", &[]) {
            Ok(text) => text_of(&text),
            Err(error) => {
                let why = error.to_string();
                let why = why.lines().next().unwrap_or_default();
                ended_note(&format!("(ctx cannot be kept as JSON, so it stays as it was: {why})"));
                None
            }
        };
        let Some(text) = text else { return };
        if text.len() > LARGEST_CTX {
            ended_note(&format!(
                "(ctx has {} bytes; at most {LARGEST_CTX} are kept, so it stays as it was)",
                text.len()
            ));
            return;
        }
        let Ok(value) = serde_json::from_str::<Value>(&text) else {
            ended_note("(ctx is nested too deep to be kept, so it stays as it was)");
            return;
        };
        let is_empty = value == Value::Object(serde_json::Map::new());
        if value != script.ctx && !(script.ctx.is_null() && is_empty) {
            ended.ctx = Some(value);
        }
    }

    fn error(&mut self, error: &JsError, prepared: &Prepared, skills: &[String]) -> ScriptError {
        let described = error
            .clone()
            .into_opaque(&mut self.context)
            .ok()
            .and_then(|value| self.prelude_call("described", &[value]).ok())
            .and_then(|text| text_of(&text))
            .and_then(|text| serde_json::from_str::<Described>(&text).ok());
        let Some(d) = described else {
            // The engine's own limits are errors that no script can catch.
            let text = error.to_string();
            let (what, stack) = text.split_once('\n').unwrap_or((&text, ""));
            let message = if what.contains("recursive") {
                format!("too much recursion: functions called one another more than {RECURSION} deep")
            } else {
                what.to_owned()
            };
            let position = places(stack).find_map(|(line, column)| prepared.position(line, column));
            let position = position.map(|place| prepared.author(place));
            return ScriptError { kind: Fault::Thrown, name: "RangeError".to_owned(), message, position, call: None };
        };
        let position = places(&d.stack).find_map(|(line, column)| prepared.position(line, column));
        let (mut message, mut place) = (d.message, position);
        let look = &mut |path: &[String]| {
            let seen = self.prelude_call("probe", &[json(&path)]).ok().and_then(|text| text_of(&text))?;
            serde_json::from_str::<Seen>(&seen).ok()
        };
        let failed = d.call.as_deref();
        if let Some(explained) = explain::explain(prepared.source(), &message, failed, position, skills, look) {
            (message, place) = (explained.message, explained.position);
        }
        let position = place.map(|place| prepared.author(place));
        ScriptError { kind: Fault::Thrown, name: d.name, message, position, call: d.call }
    }

    fn prelude_call(&mut self, name: &str, args: &[JsValue]) -> JsResult<JsValue> {
        let function = self.prelude.get(JsString::from(name), &mut self.context)?;
        match function.as_callable() {
            Some(function) => function.call(&JsValue::undefined(), args, &mut self.context),
            None => Err(boa_engine::JsNativeError::typ().with_message("the prelude is broken").into()),
        }
    }
}

enum Settled {
    Fulfilled(JsValue),
    Stuck,
    Gone,
}

/// `line:column` pairs of a stack in the script itself, the innermost first.
fn places(stack: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
    stack.lines().filter(|line| line.contains(FILE)).filter_map(|line| {
        let line = line.trim_end_matches(')');
        let (rest, column) = line.rsplit_once(':')?;
        let (_, number) = rest.rsplit_once([':', '(', ' '])?;
        Some((number.parse().ok()?, column.parse().ok()?))
    })
}

#[cfg(test)]
mod tests;
