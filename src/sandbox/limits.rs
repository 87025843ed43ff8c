//! What the kernel holds a child to: memory, time, no files, no network, no further processes.

use rustix::process::{Resource, Rlimit, setrlimit};

/// The stack of the engine's thread: parser and engine recurse on what is nested.
pub(super) const STACK: usize = 256 * 1024 * 1024;
/// Bytes of address space that the process may grow by beside what scripts use: pipes' buffers and the allocator's own.
const SLACK: u64 = 48 * 1024 * 1024;
/// Seconds of processor time that a child may use in its whole life.
pub(super) const CPU: u64 = 600;
/// Files that a child may have open: its three pipes, and room for what the runtime opens at a crash.
const FILES: u64 = 16;

/// What confines a process.
#[derive(Debug, Default)]
pub struct Isolation {
    /// What holds.
    pub holds: Vec<String>,
    /// What this kernel lacks, and why.
    pub missing: Vec<String>,
}

impl Isolation {
    fn note(&mut self, what: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.holds.push(what.to_owned()),
            Err(why) => self.missing.push(format!("{what} ({why})")),
        }
    }
}

/// Resource limits and no files. `memory` is what scripts may use and what a letter quotes; the stack and what the process
/// has already come on top. Called before the engine's thread is made, which inherits them.
pub(super) fn before(memory: u64) -> Isolation {
    let mut isolation = Isolation::default();
    let stack = u64::try_from(STACK).unwrap_or(u64::MAX);
    let space = address_space().map(|now| now + stack + SLACK + memory);
    let limit = |resource, most| set(resource, most).map_err(|e| e.to_string());
    isolation.note(
        &format!("memory {} MB", memory / (1024 * 1024)),
        space.ok_or_else(|| "the size of the process is unknown".to_owned()).and_then(|most| limit(Resource::As, most)),
    );
    // The signal for the first of the two says why it died; a plain kill would follow.
    let seconds = Rlimit { current: Some(CPU), maximum: Some(CPU + 1) };
    isolation.note("processor time", setrlimit(Resource::Cpu, seconds).map_err(|e| e.to_string()));
    isolation.note(
        "no core dumps, no file growth",
        limit(Resource::Core, 0).and_then(|()| limit(Resource::Fsize, 0)).and_then(|()| limit(Resource::Nofile, FILES)),
    );
    // A host that dies takes its children with it.
    isolation.note(
        "dies with its host",
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
            .map_err(|e| e.to_string()),
    );
    isolation.note("no files (landlock)", no_files());
    isolation
}

fn set(resource: Resource, most: u64) -> rustix::io::Result<()> {
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
}

/// Bytes of address space in use.
fn address_space() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let text = text.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let kilobytes: u64 = text.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(target_os = "linux")]
fn no_files() -> Result<(), String> {
    use landlock::{ABI, Access as _, AccessFs, Ruleset, RulesetAttr as _, RulesetStatus};
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self)
        .map_err(|e| e.to_string())?;
    match status.ruleset {
        RulesetStatus::FullyEnforced => Ok(()),
        RulesetStatus::PartiallyEnforced => Err("only in part".to_owned()),
        RulesetStatus::NotEnforced => Err("the kernel has none".to_owned()),
    }
}

#[cfg(not(target_os = "linux"))]
fn no_files() -> Result<(), String> {
    Err("only Linux has it".to_owned())
}

/// Nothing but memory, time and the pipes that are open: in the engine's thread, before any script.
#[cfg(target_os = "linux")]
pub(super) fn within() -> Isolation {
    use std::collections::BTreeMap;

    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
        apply_filter_all_threads,
    };

    // What an engine needs: its pipes, memory, locks, time, chance, and how to die.
    let allowed = [
        libc::SYS_close,
        libc::SYS_munmap,
        libc::SYS_mprotect,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_brk,
        libc::SYS_futex,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_nanosleep,
        libc::SYS_clock_nanosleep,
        libc::SYS_clock_gettime,
        libc::SYS_getrandom,
        libc::SYS_gettid,
        libc::SYS_getpid,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_restart_syscall,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];
    let mut isolation = Isolation::default();
    let filter = || -> Result<(), String> {
        let only = |argument: u8, value: u64| {
            let is = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value);
            is.and_then(|is| SeccompRule::new(vec![is])).map_err(|e| e.to_string())
        };
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
            allowed.into_iter().map(|number| (number, Vec::new())).collect();
        // What the host was started with may have come along: beyond its three pipes nothing can be read or written.
        rules.insert(libc::SYS_read, vec![only(0, 0)?]);
        rules.insert(libc::SYS_write, vec![only(0, 1)?, only(0, 2)?]);
        // Memory without a file behind it.
        rules.insert(libc::SYS_mmap, vec![only(4, u64::from(u32::MAX))?]);
        // It may abort itself, and signal nobody else.
        rules.insert(libc::SYS_tgkill, vec![only(0, u64::from(std::process::id()))?]);
        // EPERM rather than a kill: what is refused fails like any other error, and the host hears why.
        let refusal = SeccompAction::Errno(u32::try_from(libc::EPERM).unwrap_or(1));
        let arch = std::env::consts::ARCH.try_into().map_err(|_| "an unknown processor".to_owned())?;
        let filter = SeccompFilter::new(rules, refusal, SeccompAction::Allow, arch).map_err(|e| e.to_string())?;
        let program: BpfProgram = filter.try_into().map_err(|e: seccompiler::BackendError| e.to_string())?;
        apply_filter_all_threads(&program).map_err(|e| e.to_string())
    };
    // Also by number: the thread that runs this is the last one.
    let processes = set(Resource::Nproc, 0).map_err(|e| e.to_string());
    isolation.note("no network, no processes (seccomp)", processes.and_then(|()| filter()));
    isolation
}

#[cfg(not(target_os = "linux"))]
pub(super) fn within() -> Isolation {
    let mut isolation = Isolation::default();
    isolation.note("no network, no processes (seccomp)", Err("only Linux has it".to_owned()));
    isolation
}
