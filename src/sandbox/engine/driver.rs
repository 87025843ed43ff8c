//! What the engine asks of its host: a queue of jobs, a clock that stands still between frames, and who was rejected.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use boa_engine::builtins::promise::OperationType;
use boa_engine::context::HostHooks;
use boa_engine::context::time::{Clock, JsInstant};
use boa_engine::job::{Job, JobExecutor};
use boa_engine::object::JsObject;
use boa_engine::realm::Realm;
use boa_engine::{Context, JsNativeError, JsResult, JsString};
use futures_util::FutureExt as _;

use super::place;
use crate::sandbox::notebook;
use crate::skills::intent::is_parseable;
use crate::time::Timestamp;

#[derive(Default)]
pub(super) struct Jobs(RefCell<VecDeque<Job>>);

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
                // The import of a module: there is none, and the loader says so at once.
                Some(Job::AsyncJob(job)) => {
                    let shared = RefCell::new(&mut *context);
                    if let Some(result) = job.call(&shared).now_or_never() {
                        drop(result?);
                    }
                }
                // Timers are calls to the host, and finalizers need not run.
                Some(_) => {}
                None => return Ok(()),
            }
        }
    }
}

#[derive(Default)]
pub(super) struct Hooks {
    pub(super) rejected: RefCell<Vec<JsObject>>,
}

impl HostHooks for Hooks {
    fn ensure_can_compile_strings(
        &self,
        _: Realm,
        parameters: &[JsString],
        body: &JsString,
        _: bool,
        _: &mut Context,
    ) -> JsResult<()> {
        let refused = |why: &'static str| Err(JsNativeError::syntax().with_message(why).into());
        let parameters: Vec<String> = parameters.iter().map(JsString::to_std_string_lossy).collect();
        let (parameters, body) = (parameters.join(","), body.to_std_string_lossy());
        // The engine's parser has only its stack, as our own has.
        if !is_parseable(&parameters) || !is_parseable(&body) {
            return refused("the code given to eval or Function is too long or nests too deep");
        }
        if notebook::may_use_using(&format!("({parameters}) => 0")) || notebook::may_use_using(&body) {
            return refused(notebook::NO_USING);
        }
        Ok(())
    }

    fn local_timezone_offset_seconds(&self, unix_time_seconds: i64) -> i32 {
        place::offset(Timestamp::from_secs(unix_time_seconds))
    }

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
pub(super) struct HostClock(pub(super) Cell<i64>);

impl Clock for HostClock {
    fn now(&self) -> JsInstant {
        let millis = u64::try_from(self.0.get()).unwrap_or(0);
        JsInstant::new(millis / 1000, u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000)
    }

    fn system_time_millis(&self) -> i64 {
        self.0.get()
    }
}
