//! What holds a child: one for each turn, limits of the kernel in force, and no life after its host.

use std::collections::BTreeSet;

use groupmate::sandbox::{Pool, SandboxError, Settings};

use super::frames::impostor;
use super::{Desk, pool, script};
use crate::support::{ALICE, Home, Model, group_of_two, js, telegram, until};

/// Living children of a process that are the sandbox's.
fn children(parent: u32) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let status = std::fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        let command = std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        if status.lines().any(|line| line == format!("PPid:\t{parent}")) && command.starts_with("groupmate-sandbox") {
            found.insert(pid);
        }
    }
    found
}

fn lives(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_child_outlives_a_killed_host_not_even_in_a_loop() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|_, _| js("await telegram.sendText('now');\nwhile (true) {}")).await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 跑起来", None);
    until("the script's first act", || server.acts().iter().any(|act| act.method == "sendMessage")).await;
    let before = children(running.child.id());
    assert!(!before.is_empty(), "{}", home.log());
    running.kill();
    until("the end of its children", || !before.iter().any(|pid| lives(*pid))).await;
}

#[tokio::test]
async fn what_the_kernel_holds_a_child_to_is_in_force() {
    let pool = pool().await;
    if pool.isolation().contains("missing") {
        eprintln!("LEFT OUT: {}", pool.isolation());
        return;
    }
    for part in ["memory 128 MB", "processor time", "no file growth", "dies with its host", "landlock", "seccomp"] {
        assert!(pool.isolation().contains(part), "{part}: {}", pool.isolation());
    }
    let _child = pool.take().await.unwrap();
    let pids = children(std::process::id());
    assert!(!pids.is_empty());
    let mut seen = 0;
    for pid in pids {
        let Ok(limits) = std::fs::read_to_string(format!("/proc/{pid}/limits")) else { continue };
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        // Others' children may be just coming up or gone.
        if !status.contains("Seccomp:\t2") {
            continue;
        }
        seen += 1;
        let soft = |name: &str| {
            let line = limits.lines().find(|line| line.starts_with(name))?;
            line[name.len()..].split_whitespace().next().map(str::to_owned)
        };
        assert_eq!(soft("Max cpu time").as_deref(), Some("600"));
        assert_eq!(soft("Max file size").as_deref(), Some("0"));
        assert_eq!(soft("Max core file size").as_deref(), Some("0"));
        assert_eq!(soft("Max open files").as_deref(), Some("16"));
        assert_eq!(soft("Max processes").as_deref(), Some("0"));
        assert_ne!(soft("Max address space").as_deref(), Some("unlimited"));
        assert!(status.contains("NoNewPrivs:\t1"), "{status}");
    }
    assert!(seen > 0, "no child was looked at");
}

#[tokio::test]
async fn without_isolation_nothing_starts_unless_the_operator_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let ready = r#"{"Ready":{"holds":["memory"],"missing":["no files (landlock)"]}}"#;
    let lines = format!("printf '\\{:03o}\\000\\000\\000{ready}'\nsleep 9", ready.len());
    let settings = Settings { exe: impostor(&folder, &lines), memory: 128 << 20, weak: false, spares: 0 };
    match Pool::start(settings.clone()).await {
        Err(error @ SandboxError::Weak { .. }) => {
            let said = error.to_string();
            assert!(said.contains("landlock") && said.contains("sandbox.weak = true"), "{said}");
        }
        other => panic!("{other:?}"),
    }
    let pool = Pool::start(Settings { weak: true, ..settings }).await.unwrap();
    assert!(pool.isolation().contains("missing: no files (landlock)"), "{}", pool.isolation());
}

/// What one turn left behind, no other turn finds.
#[tokio::test]
async fn each_child_serves_one_turn() {
    let pool = pool().await;
    let leave = "globalThis.left = 'a secret'; Object.prototype.left = 1; Array.prototype.map = () => 'forged'; 1";
    for _ in 0..4 {
        let mut one = pool.take().await.unwrap();
        let mut other = pool.take().await.unwrap();
        let look = "[typeof left, ({}).left === undefined, [1].map(x => x + 1)[0]].join()";
        assert_eq!(one.run(script(1, leave), &Desk).await.error, None);
        let found = other.run(script(1, look), &Desk).await;
        assert_eq!(found.value.as_deref(), Some("undefined,true,2"), "{:?}", found.error);
        drop(one);
        let mut next = pool.take().await.unwrap();
        assert_eq!(next.run(script(1, look), &Desk).await.value.as_deref(), Some("undefined,true,2"));
    }
}
