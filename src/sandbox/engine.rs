//! One Boa context with the prelude, and what drives its jobs. No threads, no async: it reads a frame when it waits.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, stdout};
use std::rc::Rc;

use boa_engine::builtins::promise::{OperationType, PromiseState};
use boa_engine::context::time::{Clock, JsInstant};
use boa_engine::context::{ContextBuilder, HostHooks};
use boa_engine::job::{Job, JobExecutor};
use boa_engine::object::JsObject;
use boa_engine::object::builtins::{JsFunction, JsPromise};
use boa_engine::property::Attribute;
use boa_engine::{Context, JsError, JsResult, JsString, JsValue, NativeFunction, Source, js_string};
use serde::Deserialize;
use serde_json::Value;

use super::notebook::{self, Prepared};
use super::wire::{self, Ended, FromChild, ToChild};
use super::{FetchReply, FetchRequest, Script, SkillCode};
use crate::call::{Call, CallError, Fault, Origin, ScriptError};
use crate::clock::Dice;
use crate::time::Timestamp;

const PRELUDE: &str = include_str!("prelude.js");
/// How deep JavaScript may call itself.
const RECURSION: usize = 400;
/// Slots of the engine's own value stack.
const VALUES: usize = 100_000;
/// Bytes that `ctx` may have as JSON.
const LARGEST_CTX: usize = 64 * 1024;

thread_local! {
    /// What native functions reach: they can hold nothing of their own.
    static LINK: RefCell<Link> = RefCell::new(Link::default());
}

#[derive(Default)]
struct Link {
    printed: String,
    left: usize,
    cut: usize,
    dice: Option<Dice>,
    begun: i64,
    /// The invocation of skill code that runs now, for its fetches.
    invocation: u32,
    /// Fetches of skill code that wait, by number: the invocation.
    fetching: BTreeMap<u32, u32>,
    is_serving: bool,
    is_broken: bool,
}

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

#[derive(Default)]
struct Jobs(RefCell<VecDeque<Job>>);

impl JobExecutor for Jobs {
    fn enqueue_job(self: Rc<Self>, job: Job, _context: &mut Context) {
        self.0.borrow_mut().push_back(job);
    }

    fn run_jobs(self: Rc<Self>, context: &mut Context) -> JsResult<()> {
        loop {
            let job = self.0.borrow_mut().pop_front();
            match job {
                Some(Job::PromiseJob(job)) => drop(job.call(context)?),
                Some(Job::GenericJob(job)) => drop(job.call(context)?),
                // Timers are calls to the host, and nothing else enqueues jobs of other kinds.
                Some(_) => {}
                None => return Ok(()),
            }
        }
    }
}

#[derive(Default)]
struct Hooks {
    rejected: RefCell<Vec<JsObject>>,
}

impl HostHooks for Hooks {
    fn promise_rejection_tracker(
        &self,
        promise: &JsObject<boa_engine::builtins::promise::Promise>,
        operation: OperationType,
        _context: &mut Context,
    ) {
        let promise = promise.clone().upcast();
        let mut rejected = self.rejected.borrow_mut();
        match operation {
            OperationType::Reject => rejected.push(promise),
            OperationType::Handle => rejected.retain(|known| !JsObject::equals(known, &promise)),
        }
    }
}

#[derive(Default)]
struct HostClock(Cell<i64>);

impl Clock for HostClock {
    fn now(&self) -> JsInstant {
        let millis = u64::try_from(self.0.get()).unwrap_or(0);
        JsInstant::new(millis / 1000, u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000)
    }

    fn system_time_millis(&self) -> i64 {
        self.0.get()
    }
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
            .can_block(false)
            .build()
            .map_err(|e| e.to_string())?;
        context.runtime_limits_mut().set_recursion_limit(RECURSION);
        context.runtime_limits_mut().set_stack_size_limit(VALUES);
        let prelude = prelude(&mut context).map_err(|e| e.to_string())?;
        Ok(Self { context, jobs, hooks, clock, prelude, skills: BTreeMap::new(), open: Vec::new() })
    }

    /// Runs a script to its end, reading answers to its calls as they come.
    pub(super) fn run(&mut self, script: Script, from: &mut impl BufRead) -> Ended {
        self.clock.0.set(script.now.0);
        self.hooks.rejected.borrow_mut().clear();
        LINK.with_borrow_mut(|link| {
            *link = Link {
                left: script.output_limit,
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
        LINK.with_borrow_mut(|link| {
            ended.output = std::mem::take(&mut link.printed);
            if link.cut > 0 {
                ended.output.push_str(&format!("… ({} more bytes were printed)\n", link.cut));
            }
        });
        ended
    }

    fn evaluate(&mut self, script: &Script, prepared: &Prepared, from: &mut impl BufRead) -> Ended {
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
            Err(error) => ended.error = Some(self.error(&error, prepared)),
        }
        let unhandled = self.hooks.rejected.borrow_mut().pop();
        if ended.error.is_none()
            && let Some(promise) = unhandled
            && let Ok(promise) = JsPromise::from_object(promise)
            && let PromiseState::Rejected(reason) = promise.state()
        {
            ended.value = None;
            ended.error = Some(self.error(&JsError::from_opaque(reason), prepared));
        }
        self.ctx(script, &mut ended);
        ended
    }

    fn begin(&mut self, script: &Script, prepared: &Prepared) -> JsResult<JsPromise> {
        let skills = json(&script.skills);
        let ctx = json(&script.ctx);
        self.prelude_call("begin", &[skills, ctx])?;
        let code = self.context.eval(Source::from_bytes(&prepared.code))?;
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
    fn settle(&mut self, main: &JsPromise, from: &mut impl BufRead) -> JsResult<Settled> {
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
            match wire::read::<ToChild>(from) {
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
        let (ok, text) = match result {
            Ok(value) => (true, json(value)),
            Err(error) => (false, json(error)),
        };
        self.prelude_call("settle", &[JsValue::from(id), JsValue::from(ok), text]).map(drop)
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
        let text = self.prelude_call("ctx", &[]).ok().and_then(|text| text_of(&text));
        let Some(text) = text else { return };
        if text.len() > LARGEST_CTX {
            ended_note(&format!(
                "(ctx has {} bytes; at most {LARGEST_CTX} are kept, so it stays as it was)",
                text.len()
            ));
            return;
        }
        let Ok(value) = serde_json::from_str::<Value>(&text) else { return };
        let is_empty = value == Value::Object(serde_json::Map::new());
        if value != script.ctx && !(script.ctx.is_null() && is_empty) {
            ended.ctx = Some(value);
        }
    }

    fn error(&mut self, error: &JsError, prepared: &Prepared) -> ScriptError {
        let described = error
            .clone()
            .into_opaque(&mut self.context)
            .ok()
            .and_then(|value| self.prelude_call("described", &[value]).ok())
            .and_then(|text| text_of(&text))
            .and_then(|text| serde_json::from_str::<Described>(&text).ok());
        let Some(d) = described else {
            // The engine's own limits are errors that no script can catch.
            return ScriptError {
                kind: Fault::Thrown,
                name: "RangeError".to_owned(),
                message: error.to_string(),
                position: None,
                call: None,
            };
        };
        let position = places(&d.stack).find_map(|(line, column)| prepared.position(line, column));
        ScriptError { kind: Fault::Thrown, name: d.name, message: d.message, position, call: d.call }
    }

    /// Loads the code of skills; their modules see no more than scripts do, and `fetch`.
    pub(super) fn load(&mut self, code: Vec<SkillCode>, from: &mut impl BufRead) -> Result<(), String> {
        LINK.with_borrow_mut(|link| {
            *link = Link { is_serving: true, dice: Some(Dice::seeded(0)), ..Link::default() };
        });
        self.prelude_call("serve", &[]).map_err(|e| e.to_string())?;
        for skill in code {
            let loaded = self.load_one(&skill, from).map_err(|e| format!("{}: {e}", skill.name))?;
            self.skills.insert(skill.name, loaded);
        }
        Ok(())
    }

    fn load_one(&mut self, skill: &SkillCode, from: &mut impl BufRead) -> Result<JsValue, String> {
        let said = |e: JsError| e.to_string();
        let module =
            boa_engine::Module::parse(Source::from_bytes(&skill.source), None, &mut self.context).map_err(said)?;
        let promise = module.load_link_evaluate(&mut self.context);
        self.settle(&promise, from).map_err(said)?;
        let exported =
            module.namespace(&mut self.context).get(js_string!("default"), &mut self.context).map_err(said)?;
        let Some(factory) = exported.as_callable() else {
            return if exported.is_object() { Ok(exported) } else { Err("it has no default export".to_owned()) };
        };
        let settings = JsValue::from_json(&skill.settings, &mut self.context).map_err(said)?;
        let made = factory.call(&JsValue::undefined(), &[settings], &mut self.context).map_err(said)?;
        let Some(Ok(promise)) = made.as_object().map(|object| JsPromise::from_object(object.clone())) else {
            return Ok(made);
        };
        match self.settle(&promise, from).map_err(said)? {
            Settled::Fulfilled(value) => Ok(value),
            Settled::Stuck | Settled::Gone => Err("its factory never ended".to_owned()),
        }
    }

    /// Begins an invocation of skill code; its result is sent when it is there.
    pub(super) fn invoke(
        &mut self,
        id: u32,
        path: &str,
        args: Vec<Value>,
        now: Timestamp,
        seed: u64,
    ) -> std::io::Result<()> {
        self.clock.0.set(now.0);
        LINK.with_borrow_mut(|link| {
            link.invocation = id;
            link.dice = Some(Dice::seeded(seed));
            link.printed.clear();
        });
        let skill = path.split('.').next().unwrap_or_default();
        let object = self.skills.get(skill).cloned().unwrap_or_default();
        let path_value = JsValue::from(JsString::from(path));
        let begun = self.prelude_call("invoke", &[object, path_value, json(&args)]);
        match begun.and_then(|promise| match promise.as_object() {
            Some(object) => JsPromise::from_object(object.clone()),
            None => JsPromise::resolve(promise, &mut self.context),
        }) {
            Ok(promise) => {
                self.open.push((id, promise));
                self.go_on()
            }
            Err(error) => {
                let error = self.call_error(&error);
                wire::write(&mut stdout(), &FromChild::Invoked { id, result: Err(error) })
            }
        }
    }

    /// A fetch of skill code was answered.
    pub(super) fn fetched(&mut self, id: u32, result: Result<FetchReply, CallError>) -> std::io::Result<()> {
        let invocation = LINK.with_borrow_mut(|link| {
            let invocation = link.fetching.remove(&id).unwrap_or(link.invocation);
            link.invocation = invocation;
            invocation
        });
        let result =
            result.and_then(|reply| serde_json::to_value(reply).map_err(|e| CallError::new("Error", e.to_string())));
        if let Err(error) = self.answer(id, &result) {
            tracing::debug!(%error, invocation, "a fetch could not be answered");
        }
        self.go_on()
    }

    /// Runs what can run, and sends the results that are there.
    fn go_on(&mut self) -> std::io::Result<()> {
        // What a job throws belongs to a promise that somebody waits for.
        let _ = self.jobs.clone().run_jobs(&mut self.context);
        let open = std::mem::take(&mut self.open);
        for (id, promise) in open {
            let result = match promise.state() {
                PromiseState::Pending => {
                    self.open.push((id, promise));
                    continue;
                }
                PromiseState::Fulfilled(value) => {
                    let text = self.prelude_call("json", &[value]);
                    match text.map(|text| text_of(&text).and_then(|text| serde_json::from_str(&text).ok())) {
                        Ok(Some(value)) => Ok(value),
                        Ok(None) => Err(CallError::new("TypeError", "its result is no plain value")),
                        Err(error) => Err(self.call_error(&error)),
                    }
                }
                PromiseState::Rejected(reason) => Err(self.call_error(&JsError::from_opaque(reason))),
            };
            wire::write(&mut stdout(), &FromChild::Invoked { id, result })?;
        }
        // Nothing waits, so nothing will ever settle what is open.
        let is_idle = self.prelude_call("waiting", &[]).is_ok_and(|n| n.as_number() == Some(0.0))
            && self.prelude_call("timers", &[]).is_ok_and(|n| n.as_number() == Some(0.0));
        if is_idle {
            for (id, _) in std::mem::take(&mut self.open) {
                let error = CallError::new("Error", "it awaits something that nothing will settle");
                wire::write(&mut stdout(), &FromChild::Invoked { id, result: Err(error) })?;
            }
        }
        Ok(())
    }

    fn call_error(&mut self, error: &JsError) -> CallError {
        let described = error
            .clone()
            .into_opaque(&mut self.context)
            .ok()
            .and_then(|value| self.prelude_call("described", &[value]).ok())
            .and_then(|text| text_of(&text))
            .and_then(|text| serde_json::from_str::<Described>(&text).ok());
        match described {
            Some(d) => CallError::new(d.name, d.message),
            None => CallError::new("Error", error.to_string()),
        }
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

fn prelude(context: &mut Context) -> JsResult<JsObject> {
    boa_runtime::register_extensions(
        (
            boa_runtime::extensions::Base64Extension,
            boa_runtime::extensions::EncodingExtension,
            boa_runtime::extensions::StructuredCloneExtension,
            boa_runtime::extensions::UrlExtension,
        ),
        None,
        context,
    )?;
    let host = JsObject::with_object_proto(context.intrinsics());
    let natives: [(&str, fn(&JsValue, &[JsValue], &mut Context) -> JsResult<JsValue>); 4] =
        [("call", native_call), ("print", native_print), ("random", native_random), ("begun", native_begun)];
    for (name, native) in natives {
        let function = NativeFunction::from_fn_ptr(native).to_js_function(context.realm());
        host.create_data_property_or_throw(JsString::from(name), function, context)?;
    }
    let make = context.eval(Source::from_bytes(PRELUDE))?;
    let made = match make.as_callable() {
        Some(make) => make.call(&JsValue::undefined(), &[host.into()], context)?,
        None => JsValue::undefined(),
    };
    let none = boa_engine::JsNativeError::typ().with_message("the prelude gave nothing");
    let object = made.as_object().map(|object| object.clone()).ok_or(none)?;
    // Code outside Boa's own realm functions sees only what the prelude defined.
    context.register_global_property(js_string!("globalThis"), context.global_object(), Attribute::all())?;
    Ok(object)
}

fn native_call(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let id = args.first().and_then(JsValue::as_number).unwrap_or(0.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counted from 1 by the prelude
    let id = id as u32;
    let path = args.get(1).and_then(text_of).unwrap_or_default();
    let values = args.get(2).and_then(text_of).and_then(|text| serde_json::from_str::<Vec<Value>>(&text).ok());
    let values = values.unwrap_or_default();
    let frame = LINK.with_borrow_mut(|link| {
        if link.is_serving && path == "$fetch" {
            let request = values.first().cloned().and_then(|v| serde_json::from_value::<FetchRequest>(v).ok());
            let request = request.unwrap_or(FetchRequest {
                method: String::new(),
                url: String::new(),
                headers: Vec::new(),
                body: None,
            });
            link.fetching.insert(id, link.invocation);
            return FromChild::Fetching { id, invocation: link.invocation, request };
        }
        FromChild::Called(Call { id, path, args: values })
    });
    wire::write(&mut stdout(), &frame)
        .map_err(|e| boa_engine::JsNativeError::range().with_message(format!("the call does not fit: {e}")))?;
    Ok(JsValue::undefined())
}

fn native_print(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let text = args.first().and_then(text_of).unwrap_or_default();
    LINK.with_borrow_mut(|link| {
        let end = text.floor_char_boundary(link.left.min(text.len()));
        link.printed.push_str(&text[..end]);
        link.cut += text.len() - end;
        link.left -= end;
        if link.left > 0 {
            link.printed.push('\n');
            link.left -= 1;
        }
    });
    Ok(JsValue::undefined())
}

fn native_random(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    // 53 bits, as a double holds them.
    let bits = LINK.with_borrow_mut(|link| link.dice.as_mut().map_or(0, Dice::seed)) >> 11;
    #[allow(clippy::cast_precision_loss)] // 53 bits fit
    Ok(JsValue::from(bits as f64 / (1_u64 << 53) as f64))
}

fn native_begun(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    #[allow(clippy::cast_precision_loss)] // milliseconds of our age fit
    Ok(JsValue::from(LINK.with_borrow(|link| link.begun) as f64))
}

/// A remark of the sandbox in a script's output.
fn ended_note(text: &str) {
    LINK.with_borrow_mut(|link| {
        link.printed.push_str(text);
        link.printed.push('\n');
    });
}

/// `line:column` pairs of a stack, the innermost first.
fn places(stack: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
    stack.lines().filter_map(|line| {
        let line = line.trim_end_matches(')');
        let (rest, column) = line.rsplit_once(':')?;
        let (_, number) = rest.rsplit_once([':', '(', ' '])?;
        Some((number.parse().ok()?, column.parse().ok()?))
    })
}

fn json(value: &impl serde::Serialize) -> JsValue {
    JsValue::from(JsString::from(serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())))
}

/// A string of the script as text; a lone half of a pair becomes the replacement character.
fn text_of(value: &JsValue) -> Option<String> {
    value.as_string().map(|text| text.to_std_string_lossy())
}
