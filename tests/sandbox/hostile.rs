//! Scripts that try to stop, drown, crash or leave their sandbox: each ends in a report, and the next one runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use groupmate::call::{Fault, Report};
use groupmate::sandbox::Pool;
use groupmate::time::Span;

use super::{Desk, pool, script};

/// How long a hostile script may run.
const DEADLINE: Span = Span(3_000);
/// How long its report may take, on a busy machine and in a debug build.
const REPORT: Duration = Duration::from_secs(5);
/// By how much this process may grow over scripts that flood it, other tests beside it included.
const GROWTH: u64 = 128 * 1024 * 1024;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/hostile")
}

/// How a report ended, as the files say it.
fn end(report: &Report) -> String {
    report.error.as_ref().map_or_else(|| "Fine".to_owned(), |error| format!("{:?}", error.kind))
}

/// Runs a hostile script, then a harmless one in another child.
async fn survive(pool: &Pool, name: &str, source: &str, ends: &[&str], deadline: Span) -> Report {
    let mut child = pool.take().await.unwrap();
    let mut hostile = script(1, source);
    hostile.deadline = deadline;
    let began = Instant::now();
    let report = child.run(hostile, &Desk).await;
    let took = began.elapsed();
    assert!(took < REPORT, "{name}: its report took {took:?}");
    let ended = end(&report);
    assert!(ends.contains(&ended.as_str()), "{name} ended in {ended}, not in {ends:?}: {:?}", report.error);
    let error = report.error.as_ref();
    assert_eq!(report.variables_gone, error.is_some_and(|e| e.kind.ends_the_child()), "{name}");
    assert!(
        error.is_none_or(|e| !e.message.is_empty() && e.message.len() < 4096 && e.name.len() < 256),
        "{name}: {error:?}"
    );
    assert!(report.output.len() < 8192, "{name} printed {} bytes", report.output.len());
    assert!(report.value.as_ref().is_none_or(|v| v.len() < 8192), "{name}: a large value");
    assert!(!report.calls.iter().any(|c| c.call.path.starts_with('$')), "{name}: a call of ours is listed");
    if !report.variables_gone {
        let again = child.run(script(2, "1 + 1"), &Desk).await;
        assert!(again.error.is_some() || again.value.is_some(), "{name}: its own child says nothing any more");
    }
    let mut next = pool.take().await.unwrap();
    let report_of_next = next.run(script(2, "(await echo.args(1 + 1))[0]"), &Desk).await;
    assert_eq!((report_of_next.error, report_of_next.value.as_deref()), (None, Some("2")), "{name}: the next script");
    report
}

async fn run_file(name: &str) {
    let text = std::fs::read_to_string(folder().join(format!("{name}.js"))).unwrap();
    let (head, source) = text.split_once('\n').unwrap();
    let ends: Vec<&str> = head.strip_prefix("// ends: ").unwrap().split(", ").collect();
    // What can end in nothing but its deadline need not be given all of it.
    let deadline = if ends == ["TimedOut"] { Span(1_000) } else { DEADLINE };
    let report = survive(&pool().await, name, source, &ends, deadline).await;
    println!("{name}: {} {}", end(&report), report.error.map(|e| e.message).or(report.value).unwrap_or_default());
}

/// One test for each file.
macro_rules! hostile {
    ($($name:ident = $file:literal),* $(,)?) => {
        const FILES: &[&str] = &[$($file),*];
        $(
            #[tokio::test]
            async fn $name() {
                run_file($file).await;
            }
        )*
    };
}

hostile! {
    loop_while = "loop-while",
    loop_after_await = "loop-after-await",
    loop_in_function = "loop-in-function",
    loop_getter = "loop-getter",
    loop_getter_read = "loop-getter-read",
    loop_proxy_get = "loop-proxy-get",
    loop_proxy_keys = "loop-proxy-keys",
    loop_proxy_ownkeys = "loop-proxy-ownkeys",
    loop_tostring = "loop-tostring",
    loop_tojson = "loop-tojson",
    loop_sort_comparator = "loop-sort-comparator",
    loop_generator = "loop-generator",
    loop_promise_chain = "loop-promise-chain",
    loop_microtasks = "loop-microtasks",
    loop_await_zero = "loop-await-zero",
    loop_async_generator = "loop-async-generator",
    loop_native_foreach = "loop-native-foreach",
    loop_native_indexof = "loop-native-indexof",
    loop_native_reverse = "loop-native-reverse",
    loop_setter = "loop-setter",
    loop_iterator_return = "loop-iterator-return",
    loop_finally = "loop-finally",
    loop_catch_limits = "loop-catch-limits",
    loop_thenable = "loop-thenable",
    loop_species = "loop-species",
    loop_bigint = "loop-bigint",
    loop_bigint_text = "loop-bigint-text",
    loop_date_wait = "loop-date-wait",
    loop_interval = "loop-interval",
    loop_labelled = "loop-labelled",
    loop_symbol_toprimitive = "loop-symbol-toprimitive",
    loop_instanceof = "loop-instanceof",
    loop_error_stack = "loop-error-stack",
    loop_ctx_getter = "loop-ctx-getter",
    loop_json_proxy = "loop-json-proxy",
    memory_array_double = "memory-array-double",
    memory_string_double = "memory-string-double",
    memory_repeat = "memory-repeat",
    memory_padend = "memory-padend",
    memory_typed_array = "memory-typed-array",
    memory_many_buffers = "memory-many-buffers",
    memory_array_from = "memory-array-from",
    memory_fill = "memory-fill",
    memory_join = "memory-join",
    memory_map = "memory-map",
    memory_closures = "memory-closures",
    memory_promises = "memory-promises",
    memory_replace = "memory-replace",
    memory_json_deep = "memory-json-deep",
    memory_result_shared = "memory-result-shared",
    memory_spread = "memory-spread",
    memory_from_char_code = "memory-from-char-code",
    memory_symbols = "memory-symbols",
    memory_sparse_length = "memory-sparse-length",
    stack_recursion = "stack-recursion",
    stack_nested_brackets = "stack-nested-brackets",
    stack_nested_arrays = "stack-nested-arrays",
    stack_eval_nested = "stack-eval-nested",
    stack_function_nested = "stack-function-nested",
    stack_unary_run = "stack-unary-run",
    stack_binary_run = "stack-binary-run",
    stack_else_run = "stack-else-run",
    stack_template_nested = "stack-template-nested",
    stack_regex_nested = "stack-regex-nested",
    stack_prototype_chain = "stack-prototype-chain",
    stack_proxy_chain = "stack-proxy-chain",
    stack_bind_chain = "stack-bind-chain",
    stack_json_deep = "stack-json-deep",
    stack_json_parse = "stack-json-parse",
    stack_flat_infinity = "stack-flat-infinity",
    stack_structured_clone = "stack-structured-clone",
    stack_getter_recursion = "stack-getter-recursion",
    stack_tostring_recursion = "stack-tostring-recursion",
    stack_deep_argument = "stack-deep-argument",
    stack_deep_ctx = "stack-deep-ctx",
    stack_result_deep = "stack-result-deep",
    regex_nested_quantifier = "regex-nested-quantifier",
    regex_alternation = "regex-alternation",
    regex_backreference = "regex-backreference",
    regex_lookahead = "regex-lookahead",
    regex_replace = "regex-replace",
    regex_split = "regex-split",
    regex_polynomial = "regex-polynomial",
    regex_huge_quantifier = "regex-huge-quantifier",
    regex_huge_source = "regex-huge-source",
    flood_output = "flood-output",
    flood_lines = "flood-lines",
    flood_result = "flood-result",
    flood_error = "flood-error",
    flood_error_name = "flood-error-name",
    flood_stack_text = "flood-stack-text",
    flood_ctx = "flood-ctx",
    flood_sends = "flood-sends",
    flood_calls_unawaited = "flood-calls-unawaited",
    flood_calls_swallowed = "flood-calls-swallowed",
    flood_timers = "flood-timers",
    flood_argument = "flood-argument",
    flood_arguments = "flood-arguments",
    flood_argument_items = "flood-argument-items",
    flood_path = "flood-path",
    flood_path_deep = "flood-path-deep",
    flood_answers = "flood-answers",
    flood_rejections = "flood-rejections",
    flood_names = "flood-names",
    flood_source = "flood-source",
    pollution_object_prototype = "pollution-object-prototype",
    pollution_tojson = "pollution-tojson",
    pollution_map = "pollution-map",
    pollution_promise_then = "pollution-promise-then",
    pollution_array = "pollution-array",
    pollution_json = "pollution-json",
    pollution_frozen = "pollution-frozen",
    pollution_skill_object = "pollution-skill-object",
    pollution_skill_define = "pollution-skill-define",
    pollution_skill_prototype = "pollution-skill-prototype",
    pollution_error_constructor = "pollution-error-constructor",
    pollution_symbol_species = "pollution-symbol-species",
    pollution_global_this = "pollution-global-this",
    escape_constructor = "escape-constructor",
    escape_function_constructor = "escape-function-constructor",
    escape_async_constructor = "escape-async-constructor",
    escape_prepare_stack = "escape-prepare-stack",
    escape_caller = "escape-caller",
    escape_callee = "escape-callee",
    escape_native_host = "escape-native-host",
    escape_forged_timer = "escape-forged-timer",
    escape_forged_fetch = "escape-forged-fetch",
    escape_settle = "escape-settle",
    escape_break_out = "escape-break-out",
    escape_html_comment = "escape-html-comment",
    escape_line_comment = "escape-line-comment",
    escape_hashbang = "escape-hashbang",
    escape_use_before = "escape-use-before",
    escape_with = "escape-with",
    escape_shadow_realm = "escape-shadow-realm",
    escape_atomics_wait = "escape-atomics-wait",
    escape_stack_forge = "escape-stack-forge",
    escape_thenable_error = "escape-thenable-error",
    escape_throw_null = "escape-throw-null",
    escape_throw_proxy = "escape-throw-proxy",
    escape_result_proxy = "escape-result-proxy",
    escape_lone_surrogates = "escape-lone-surrogates",
    escape_nul_path = "escape-nul-path",
    escape_proto_path = "escape-proto-path",
    code_eval = "code-eval",
    code_indirect_eval = "code-indirect-eval",
    code_eval_loop = "code-eval-loop",
    code_function_loop = "code-function-loop",
    code_timeout_text = "code-timeout-text",
    code_import_node = "code-import-node",
    code_import_file = "code-import-file",
    code_import_data = "code-import-data",
    code_import_net = "code-import-net",
    code_import_caught = "code-import-caught",
    code_import_eval = "code-import-eval",
    code_import_meta = "code-import-meta",
    crash_sort_random = "crash-sort-random",
    crash_using = "crash-using",
    crash_await_using = "crash-await-using",
    crash_sort_mutating = "crash-sort-mutating",
    crash_typed_resize = "crash-typed-resize",
    crash_typed_detach = "crash-typed-detach",
    crash_dates = "crash-dates",
    crash_temporal = "crash-temporal",
    crash_string_edges = "crash-string-edges",
    crash_array_length_trap = "crash-array-length-trap",
    crash_class_fields = "crash-class-fields",
    crash_generator_reenter = "crash-generator-reenter",
    crash_labels_finally = "crash-labels-finally",
    crash_weakref_finalizer = "crash-weakref-finalizer",
    crash_regex_flags = "crash-regex-flags",
}

#[test]
fn every_hostile_script_has_its_test_and_its_row() {
    let there: BTreeSet<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".js").map(str::to_owned))
        .collect();
    let tested: BTreeSet<String> = FILES.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(there, tested);
    let table = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for name in FILES {
        let text = std::fs::read_to_string(folder().join(format!("{name}.js"))).unwrap();
        let ends = text.lines().next().unwrap().strip_prefix("// ends: ").unwrap();
        let row = table.lines().find(|line| line.starts_with(&format!("| [{name}]({name}.js) |")));
        assert!(
            row.is_some_and(|row| row.ends_with(&format!("| {ends} |"))),
            "{name} has no row in README.md, or another end"
        );
    }
}

/// Regular expressions out of real libraries that take for ever; each ends by its deadline or answers.
#[tokio::test]
async fn regular_expressions_that_take_for_ever() {
    const SHORT: Span = Span(200);
    let pool = pool().await;
    let (mut timed_out, mut answered, mut refused) = (0, 0, 0);
    let table = std::fs::read_to_string(folder().join("redos.tsv")).unwrap();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, pattern, flags, prefix, pumpable, suffix, pumps] = columns[..] else { panic!("{line}") };
        let pumps = pumps.parse().map_or(60, |n: u32| n * 3);
        let source = format!("new RegExp({pattern}, {flags}).test({prefix} + {pumpable}.repeat({pumps}) + {suffix})");
        let mut child = pool.take().await.unwrap();
        let mut hostile = script(1, &source);
        hostile.deadline = SHORT;
        let began = Instant::now();
        let report = child.run(hostile, &Desk).await;
        assert!(began.elapsed() < REPORT, "{id}");
        match report.error {
            None => answered += 1,
            Some(error) if error.kind == Fault::TimedOut => timed_out += 1,
            Some(error) => {
                assert_eq!(error.name, "SyntaxError", "{id}: {error:?}");
                refused += 1;
            }
        }
    }
    println!("regular expressions: {timed_out} timed out, {answered} answered, {refused} refused");
    assert_eq!(timed_out + answered + refused, 60);
    let mut next = pool.take().await.unwrap();
    assert_eq!(next.run(script(2, "1 + 1"), &Desk).await.value.as_deref(), Some("2"));
}

/// Bytes of memory that this process holds.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}

#[tokio::test]
async fn floods_leave_the_memory_of_the_host_flat() {
    let Some(before) = resident() else {
        eprintln!("LEFT OUT: this system does not say how much memory a process holds");
        return;
    };
    for name in
        ["flood-output", "flood-lines", "flood-arguments", "flood-argument-items", "flood-sends", "flood-answers"]
    {
        run_file(name).await;
        let now = resident().unwrap();
        println!("after {name}: {} MB more", now.saturating_sub(before) >> 20);
        assert!(now.saturating_sub(before) < GROWTH, "{name}: the host grew from {before} to {now} bytes");
    }
}
