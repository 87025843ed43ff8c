//! Skill code in a child of its own: what it gives, what it fetches, and what scripts cannot do to it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use groupmate::call::{CallError, Outcome};
use groupmate::sandbox::{Fetch, FetchReply, FetchRequest, SkillChild, SkillCode};
use groupmate::time::{Span, Timestamp};

use super::{Desk, pool, script};

/// A network that answers each request with itself, after a while.
struct Net;

impl Fetch for Net {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchReply, CallError> {
        if request.url.contains("forbidden") {
            return Err(CallError::new("PermissionError", "this host is not allowed"));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let body = json!({ "method": request.method, "sent": request.body }).to_string();
        Ok(FetchReply { url: request.url, status: 200, headers: vec![("x-a".into(), "b".into())], body })
    }
}

const CODE: &str = r#"
let count = 0;
export default settings => ({
  add: (a, b) => a + b,
  settings: () => settings,
  count: async () => ++count,
  get: async url => (await (await fetch(url, { method: 'POST', body: 'x' })).json()),
  three: async () => (await Promise.all([1, 2, 3].map(n => fetch('https://e.example/' + n)))).map(r => r.status),
  fail: () => { throw new RangeError('too far'); },
  nested: { deep: { hi: name => 'hi ' + name } },
  loop: () => { for (;;); },
  eat: () => { const all = []; for (;;) all.push(new Array(1e5).fill(1)); },
  never: () => new Promise(() => {}),
  odd: () => () => 1,
  polluted: () => [({}).bad ?? null, [].map.toString().includes('forged')],
});
"#;

/// The value, or an error's name and a part of its message.
type Expected = Result<Value, (&'static str, &'static str)>;

async fn child() -> SkillChild {
    let code = SkillCode { name: "tavily".into(), source: CODE.into(), settings: json!({ "lang": "zh" }) };
    pool().await.skill_child(vec![code]).await.unwrap()
}

async fn invoke(child: &SkillChild, path: &str, args: Vec<Value>) -> Outcome {
    child.invoke(path, args, Timestamp(1_800_000_000_000), 1, Span::secs(4), &Net).await
}

#[tokio::test]
async fn methods_give_values_and_errors() {
    let child = child().await;
    let rows: [(&str, Vec<Value>, Expected); 9] = [
        ("tavily.add", vec![json!(2), json!(3)], Ok(json!(5))),
        ("tavily.settings", vec![], Ok(json!({ "lang": "zh" }))),
        ("tavily.count", vec![], Ok(json!(1))),
        ("tavily.nested.deep.hi", vec![json!("小夏")], Ok(json!("hi 小夏"))),
        ("tavily.get", vec![json!("https://e.example/")], Ok(json!({ "method": "POST", "sent": "x" }))),
        ("tavily.get", vec![json!("https://forbidden/")], Err(("PermissionError", "not allowed"))),
        ("tavily.fail", vec![], Err(("RangeError", "too far"))),
        ("tavily.serach", vec![], Err(("TypeError", "tavily.serach"))),
        ("tavily.constructor.constructor", vec![json!("return 1")], Err(("TypeError", ""))),
    ];
    for (path, args, expected) in rows {
        match (invoke(&child, path, args).await, expected) {
            (Outcome::Done(value), Ok(expected)) => assert_eq!(value, expected, "{path}"),
            (Outcome::Failed(error), Err((name, part))) => {
                assert!(error.name == name && error.message.contains(part), "{path}: {error:?}");
            }
            // A plain function is no plain value, whatever was called to get it.
            (outcome, expected) => assert!(path.contains("constructor"), "{path}: {outcome:?}, not {expected:?}"),
        }
    }
}

#[tokio::test]
async fn requests_of_one_method_go_out_together() {
    let child = child().await;
    let began = Instant::now();
    assert_eq!(invoke(&child, "tavily.three", vec![]).await, Outcome::Done(json!([200, 200, 200])));
    // One after another they would take 600 ms.
    assert!(began.elapsed() < Duration::from_millis(550), "{:?}", began.elapsed());
}

#[tokio::test]
async fn what_never_ends_is_ended_and_the_skill_comes_back() {
    let child = child().await;
    for path in ["tavily.loop", "tavily.eat", "tavily.never"] {
        assert_eq!(
            invoke(&child, "tavily.add", vec![json!(1), json!(1)]).await,
            Outcome::Done(json!(2)),
            "before {path}"
        );
        let began = Instant::now();
        let outcome = child.invoke(path, vec![], Timestamp(0), 1, Span::secs(2), &Net).await;
        let Outcome::Failed(error) = outcome else { panic!("{path}: {outcome:?}") };
        assert!(began.elapsed() < Duration::from_secs(5), "{path} took {:?}", began.elapsed());
        assert!(!error.message.is_empty(), "{path}");
        assert_eq!(
            invoke(&child, "tavily.add", vec![json!(1), json!(1)]).await,
            Outcome::Done(json!(2)),
            "after {path}"
        );
    }
}

#[tokio::test]
async fn code_that_does_not_load_is_said() {
    let pool = pool().await;
    let rows = [
        ("export default 5", "default export"),
        ("export const a = 1", "default export"),
        ("syntax error here", ""),
        ("throw new Error('at load')", "at load"),
        ("import fs from 'node:fs'; export default { fs }", ""),
    ];
    for (source, part) in rows {
        let code = SkillCode { name: "bad".into(), source: source.into(), settings: Value::Null };
        let error = pool.skill_child(vec![code]).await.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains("bad") && error.contains(part), "{source}: {error}");
    }
}

#[tokio::test]
async fn a_script_cannot_reach_skill_code() {
    let child = child().await;
    let mut scripts = pool().await.take().await.unwrap();
    let hostile =
        "Object.prototype.bad = 'x'; Array.prototype.map = function forged() {}; globalThis.tavily = { add: 1 };
        [typeof fetch, typeof count, typeof settings].join()";
    let report = scripts.run(script(1, hostile), &Desk).await;
    assert_eq!(report.value.as_deref(), Some("undefined,undefined,undefined"), "{:?}", report.error);
    assert_eq!(invoke(&child, "tavily.polluted", vec![]).await, Outcome::Done(json!([null, false])));
}
