//! In the running program: what one room's script does is nothing to another room, and what one call does not end is cut
//! while its script lives.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::{ALICE, Home, Model, group_of_two, js, telegram, until};

/// What the loud room's scripts do, whether that ends in nothing but their deadline, and a part of the report.
const LOUD: [(&str, bool, &str); 6] = [
    ("while (true) {}", true, "it ran for more than 4 s"),
    ("const line = 'x'.repeat(1 << 16); for (;;) console.log(line)", true, "it ran for more than 4 s"),
    ("/^(a+)+$/.test('a'.repeat(60) + 'b')", true, "it ran for more than 4 s"),
    ("let s = 'x'; for (;;) s += s", false, "it used more than 128 MB"),
    ("for (let i = 0; i < 1e5; i++) memory.recall('x' + i)", false, "it made more than 1000 calls"),
    ("const f = () => f(); f()", false, "too much recursion"),
];

/// Kilobytes of the most memory that a process ever held.
fn peak(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_room_goes_on_while_another_floods_loops_or_dies() {
    let server = telegram().await;
    let (loud, quiet) = (group_of_two(&server, "loud"), group_of_two(&server, "quiet"));
    let round = Arc::new(AtomicUsize::new(0));
    let reports: Arc<Mutex<Vec<String>>> = Arc::default();
    let started = Arc::new(AtomicUsize::new(0));
    let (now, heard, begun) = (round.clone(), reports.clone(), started.clone());
    let model = Model::start(move |_, prompt| {
        let n = now.load(Ordering::SeqCst);
        if prompt.all().contains("be quiet") {
            return js(&format!(
                "let found = 0;\nfor (let i = 0; i < 20; i++) found += (await memory.recall('茶')).length >= 0 ? 1 : 0;\n\
                 await telegram.sendText(`quiet {n}: ${{found}}`);"
            ));
        }
        if prompt.messages.len() > 1 {
            heard.lock().unwrap().push(prompt.last().to_owned());
            return js(&format!("await telegram.sendText('loud {n} lives');"));
        }
        begun.fetch_add(1, Ordering::SeqCst);
        js(LOUD[n].0)
    })
    .await;
    let home = Home::new(&server, &model.url, "[sandbox]\ndeadline = \"4s\"");
    let running = home.run(&[]);
    let said = |text: &str| server.acts().iter().any(|act| act.text == text);
    let mut before = None;
    for (n, (script, is_endless, part)) in LOUD.into_iter().enumerate() {
        round.store(n, Ordering::SeqCst);
        server.say(loud, ALICE, "@xiaxia_bot be loud", None);
        until("the loud script", || started.load(Ordering::SeqCst) > n).await;
        server.say(quiet, ALICE, "@xiaxia_bot be quiet", None);
        until(script, || said(&format!("quiet {n}: 20"))).await;
        if is_endless {
            assert_eq!(reports.lock().unwrap().len(), n, "{script}: the quiet room had to wait");
        }
        until(script, || said(&format!("loud {n} lives"))).await;
        let report = reports.lock().unwrap()[n].clone();
        assert!(report.contains(part), "{script}: {report}");
        let peak = peak(running.child.id());
        println!("after {script}: {} KB at most", peak.unwrap_or_default());
        let first = *before.get_or_insert(peak);
        if let (Some(first), Some(peak)) = (first, peak) {
            assert!(peak < first + 16 * 1024, "{script}: the host grew from {first} to {peak} KB");
        }
    }
    assert!(running.terminate().success(), "{}", home.log());
    // One ask for each quiet turn, two for each loud one: nobody was disturbed, nothing was tried again.
    assert_eq!(model.asked(), 3 * LOUD.len(), "{}", home.log());
    model.assert_sound();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_never_ends_is_cut_while_its_script_lives() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|_, _| {
        js("const began = await slow.quick();\n\
            const [forever, other] = await Promise.allSettled([slow.forever(), memory.recall('茶')]);\n\
            const { name, message } = forever.reason;\n\
            await telegram.sendText(`${name}: ${message}; ${other.status}, ${began}, ${await slow.quick()}`);")
    })
    .await;
    let home = Home::new(&server, &model.url, "[sandbox]\ndeadline = \"12s\"");
    let config = std::fs::read_to_string(&home.config).unwrap();
    std::fs::write(&home.config, format!("{config}[skills]\nfolders = [\"mine\"]\n")).unwrap();
    let folder = home.folder.path().join("mine/slow");
    std::fs::create_dir_all(&folder).unwrap();
    let declared = "declare const slow: {\n  /** Answers.\n   * @effect read */\n  quick(): number;\n  /** Never answers.\n   * @effect read */\n  forever(): number;\n};\n";
    std::fs::write(folder.join("slow.d.ts"), declared).unwrap();
    std::fs::write(folder.join("index.js"), "export default { quick: () => 7, forever: () => { for (;;); } };\n")
        .unwrap();
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 等等看", None);
    until("what the script heard of it", || server.acts().iter().any(|act| !act.text.is_empty())).await;
    let acts: Vec<String> = server.acts().into_iter().map(|act| act.text).filter(|text| !text.is_empty()).collect();
    assert_eq!(acts, ["TimeoutError: slow.forever did not answer within 8 s; fulfilled, 7, 7"], "{}", home.log());
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!(model.asked(), 1);
}
