//! Skill code in the engine: loaded once, then invoked by several scripts at the same time.

use std::io::{BufReader, Read};

use boa_engine::builtins::promise::PromiseState;
use boa_engine::job::JobExecutor as _;
use boa_engine::object::builtins::JsPromise;
use boa_engine::{JsError, JsString, JsValue, Source, js_string};
use serde_json::Value;

use super::natives::{LINK, Link, text_of};
use super::output::Output;
use super::{Described, Engine, Settled};
use crate::call::CallError;
use crate::clock::Dice;
use crate::sandbox::notebook;
use crate::sandbox::wire::{self, FromChild};
use crate::sandbox::{FetchReply, SkillCode};
use crate::time::Timestamp;

impl Engine {
    /// Loads the code of skills; their modules see no more than scripts do, and `fetch`.
    pub(in crate::sandbox) fn load(
        &mut self,
        code: Vec<SkillCode>,
        from: &mut BufReader<impl Read>,
    ) -> Result<(), String> {
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

    fn load_one(&mut self, skill: &SkillCode, from: &mut BufReader<impl Read>) -> Result<JsValue, String> {
        let said = |e: JsError| e.to_string();
        if notebook::may_use_using(&skill.source) {
            return Err(notebook::NO_USING.to_owned());
        }
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
    pub(in crate::sandbox) fn invoke(
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
            link.printed = Output::default();
        });
        let skill = path.split('.').next().unwrap_or_default();
        let object = self.skills.get(skill).cloned().unwrap_or_default();
        let path_value = JsValue::from(JsString::from(path));
        let begun =
            self.made(&Value::Array(args)).and_then(|args| self.prelude_call("invoke", &[object, path_value, args]));
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
                wire::say(&FromChild::Invoked { id, result: Err(error) })
            }
        }
    }

    /// A fetch of skill code was answered.
    pub(in crate::sandbox) fn fetched(
        &mut self,
        id: u32,
        result: Result<FetchReply, CallError>,
    ) -> std::io::Result<()> {
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
            wire::say(&FromChild::Invoked { id, result })?;
        }
        // Nothing waits, so nothing will ever settle what is open.
        let is_idle = self.prelude_call("waiting", &[]).is_ok_and(|n| n.as_number() == Some(0.0))
            && self.prelude_call("timers", &[]).is_ok_and(|n| n.as_number() == Some(0.0));
        if is_idle {
            for (id, _) in std::mem::take(&mut self.open) {
                let error = CallError::new("Error", "it awaits something that nothing will settle");
                wire::say(&FromChild::Invoked { id, result: Err(error) })?;
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
}
