//! What a child may not do, tried from within one: this test's own binary, confined by the function that confines a child.
//! So nothing of it is in the program that ships.

use std::fs::{File, OpenOptions};
use std::io::{self, IoSlice, Read as _, Seek as _, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use groupmate::sandbox::worker::{Isolation, confined};
use rustix::process::{Resource, Rlimit, Signal};

/// A folder for the confined process; without it `the_confined_process` does nothing.
const FOLDER: &str = "CONFINED_IN";
/// What it tries.
const TRY: &str = "CONFINED_TRIES";
/// Bytes that it may use.
const MEMORY: u64 = 64 << 20;

/// Starts the confined process; it finds in its folder what it tries itself on.
fn confine(folder: &Path, what: &str) -> Output {
    std::fs::write(folder.join("file"), "before").unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args(["sandbox::confined::the_confined_process", "--exact", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(TRY, what)
        .stdin(Stdio::piped())
        .output()
        .unwrap()
}

/// What it said of each attempt; `None` where this kernel cannot confine.
fn attempts(output: &Output) -> Option<Vec<(String, String)>> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if let Some(missing) = text.lines().find_map(|line| line.strip_prefix("MISSING ")) {
        eprintln!("LEFT OUT: this kernel cannot confine: {missing}");
        return None;
    }
    let said = text.lines().filter_map(|line| line.strip_prefix("TRIED ")?.split_once(" => "));
    Some(said.map(|(what, ended)| (what.to_owned(), ended.to_owned())).collect())
}

#[test]
fn nothing_but_memory_and_three_pipes_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    std::fs::write(folder.path().join("address"), tcp.local_addr().unwrap().to_string()).unwrap();
    let unix = UnixListener::bind(folder.path().join("socket")).unwrap();
    unix.set_nonblocking(true).unwrap();

    let output = confine(folder.path(), "all");
    let Some(tried) = attempts(&output) else { return };
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(tried.len(), WITHIN.len(), "{said}{errors}");
    for (what, ended) in tried {
        assert_eq!(ended, "refused", "{what}");
    }
    assert!(said.contains("STILL WORKS pipe, memory, time, chance"), "{said}{errors}");
    // And nothing happened, whatever it was told.
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "before");
    let mut there: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    there.sort();
    assert_eq!(there, ["address", "file", "socket"]);
    assert_eq!(tcp.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock);
    assert_eq!(unix.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock);
}

/// What holds already while the engine is made, before system calls are cut off: each layer by itself.
#[test]
fn limits_and_landlock_hold_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let output = confine(folder.path(), "limits");
    let Some(tried) = attempts(&output) else { return };
    let expected = [
        ("open a file", "errno 13"),
        ("make a file", "errno 13"),
        ("list a folder", "errno 13"),
        ("open more pipes than it may", "errno 24"),
        ("raise a limit", "errno 1"),
    ];
    let root = rustix::process::geteuid().is_root();
    for ((what, ended), (name, errno)) in tried.iter().zip(expected) {
        // Limits bind root only once it cannot ask for others any more.
        assert!(what == name && (ended == errno || (root && name == "raise a limit")), "{what} => {ended}");
    }
    assert_eq!(tried.len(), expected.len(), "{}", String::from_utf8_lossy(&output.stderr));

    let output = confine(folder.path(), "growth");
    assert_eq!(output.status.signal(), Some(Signal::XFSZ.as_raw()), "{output:?}");
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "before");
}

/// No test of its own: what the two above start.
#[test]
#[expect(clippy::disallowed_methods, reason = "its parent's word to a process that is this same binary")]
fn the_confined_process() {
    let (Some(folder), Ok(what)) = (std::env::var_os(FOLDER).map(PathBuf::from), std::env::var(TRY)) else { return };
    // The harness is in the middle of a line.
    println!();
    let before = Before::open(folder);
    let ended = confined(
        MEMORY,
        move || {
            match what.as_str() {
                "limits" => before.limits(),
                "growth" => drop((&before.writable).write_all(b"more")),
                _ => return Some(before),
            }
            None
        },
        |before, isolation| {
            if let Some(before) = before {
                before.all(&isolation);
            }
        },
    );
    std::process::exit(i32::from(ended.is_err()));
}

/// What the process held before it was confined, as a child might inherit it from a careless host.
struct Before {
    folder: PathBuf,
    address: String,
    readable: File,
    writable: File,
    udp: UdpSocket,
    pair: UnixStream,
    host: rustix::process::Pid,
}

/// What is tried, by name.
type Attempt = (&'static str, fn(&Before) -> io::Result<()>);

const WITHIN: &[Attempt] = &[
    // Files by name.
    ("open a file", |b| File::open(b.file()).map(drop)),
    ("open one of the system's", |_| File::open("/etc/passwd").map(drop)),
    ("open its own memory", |_| OpenOptions::new().write(true).open("/proc/self/mem").map(drop)),
    ("open a device", |_| File::open("/dev/null").map(drop)),
    ("write a file", |b| std::fs::write(b.file(), "after")),
    ("make a file", |b| File::create(b.folder.join("new")).map(drop)),
    ("list a folder", |b| std::fs::read_dir(&b.folder).map(drop)),
    ("look at a file", |b| std::fs::metadata(b.file()).map(drop)),
    ("read a link", |_| std::fs::read_link("/proc/self/exe").map(drop)),
    ("remove a file", |b| std::fs::remove_file(b.file())),
    ("rename a file", |b| std::fs::rename(b.file(), b.folder.join("new"))),
    ("make a folder", |b| std::fs::create_dir(b.folder.join("new"))),
    ("make a link", |b| std::fs::hard_link(b.file(), b.folder.join("new"))),
    ("make a symbolic link", |b| std::os::unix::fs::symlink(b.file(), b.folder.join("new"))),
    ("change permissions", |b| std::fs::set_permissions(b.file(), std::fs::Permissions::from_mode(0o777))),
    ("go elsewhere", |_| std::env::set_current_dir("/")),
    // Descriptors that are none of the three pipes.
    ("read an open file", |b| (&b.readable).read(&mut [0; 8]).map(drop)),
    ("read an open file from a place", |b| b.readable.read_at(&mut [0; 8], 0).map(drop)),
    ("write an open file", |b| (&b.writable).write(b"after").map(drop)),
    ("write an open file at a place", |b| b.writable.write_at(b"after", 0).map(drop)),
    ("write an open file in pieces", |b| {
        (&b.writable).write_vectored(&[IoSlice::new(b"af"), IoSlice::new(b"ter")]).map(drop)
    }),
    ("copy an open file to another", |b| io::copy(&mut &b.readable, &mut &b.writable).map(drop)),
    ("copy an open file to a pipe", |b| io::copy(&mut &b.readable, &mut io::stdout()).map(drop)),
    ("seek in an open file", |b| (&b.readable).rewind()),
    ("cut an open file", |b| b.writable.set_len(0)),
    ("look at an open file", |b| b.readable.metadata().map(drop)),
    ("double a descriptor", |b| b.readable.try_clone().map(drop)),
    ("write to where it reads", |_| rustix::io::write(io::stdin(), b"x").map(drop).map_err(Into::into)),
    ("read from where it writes", |_| rustix::io::read(io::stdout(), &mut [0; 8]).map(drop).map_err(Into::into)),
    ("read from where it complains", |_| rustix::io::read(io::stderr(), &mut [0; 8]).map(drop).map_err(Into::into)),
    ("make a pipe", |_| io::pipe().map(drop)),
    // The network, and what else has sockets.
    ("listen", |_| TcpListener::bind("127.0.0.1:0").map(drop)),
    ("connect", |b| TcpStream::connect(&*b.address).map(drop)),
    ("make a datagram socket", |_| UdpSocket::bind("127.0.0.1:0").map(drop)),
    ("send through an open socket", |b| b.udp.send_to(b"x", "127.0.0.1:9").map(drop)),
    ("write to an open socket", |b| (&b.pair).write(b"x").map(drop)),
    ("connect to a socket among the files", |b| UnixStream::connect(b.folder.join("socket")).map(drop)),
    ("listen among the files", |b| UnixListener::bind(b.folder.join("new")).map(drop)),
    ("make a socket without a name", |_| UnixDatagram::unbound().map(drop)),
    ("make a pair of sockets", |_| UnixStream::pair().map(drop)),
    // Processes.
    ("start a program", |_| Command::new("/bin/true").status().map(drop)),
    ("become a program", |_| Err(Command::new("/bin/true").exec())),
    ("start a thread", |_| std::thread::Builder::new().spawn(|| ()).map(drop)),
    // Only asking whether it might: were it allowed, nobody should die of this test.
    ("signal its host", |b| rustix::process::test_kill_process(b.host).map_err(Into::into)),
    ("signal a group", |b| rustix::process::test_kill_process_group(b.host).map_err(Into::into)),
    ("outlive its host", |_| rustix::process::set_parent_process_death_signal(None).map_err(Into::into)),
    // Its limits.
    ("raise a limit", |_| raise()),
    ("take more memory than it may", |_| {
        let more = usize::try_from(MEMORY * 2).unwrap();
        // Not a system call's error, but refused by the kernel all the same.
        Vec::<u8>::new().try_reserve_exact(more).map_err(|_| io::Error::from_raw_os_error(1))
    }),
];

fn raise() -> io::Result<()> {
    let more = Rlimit { current: Some(64), maximum: Some(64) };
    rustix::process::setrlimit(Resource::Nofile, more).map_err(Into::into)
}

impl Before {
    fn open(folder: PathBuf) -> Self {
        let (pair, other) = UnixStream::pair().unwrap();
        // Kept open on purpose: writing must fail for no other reason.
        std::mem::forget(other);
        Self {
            address: std::fs::read_to_string(folder.join("address")).unwrap_or_default(),
            readable: File::open(folder.join("file")).unwrap(),
            writable: OpenOptions::new().append(true).open(folder.join("file")).unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            host: rustix::process::getppid().unwrap(),
            folder,
            pair,
        }
    }

    fn file(&self) -> PathBuf {
        self.folder.join("file")
    }

    fn limits(&self) {
        let say = |what: &str, ended: io::Result<()>| match ended {
            Ok(()) => println!("TRIED {what} => done"),
            Err(error) => println!("TRIED {what} => errno {}", error.raw_os_error().unwrap_or_default()),
        };
        say("open a file", File::open(self.file()).map(drop));
        say("make a file", File::create(self.folder.join("new")).map(drop));
        say("list a folder", std::fs::read_dir(&self.folder).map(drop));
        let pipes: io::Result<Vec<_>> = std::iter::repeat_with(io::pipe).take(16).collect();
        say("open more pipes than it may", pipes.map(drop));
        say("raise a limit", raise());
    }

    fn all(&self, isolation: &Isolation) {
        if !isolation.missing.is_empty() {
            println!("MISSING {}", isolation.missing.join(", "));
            return;
        }
        for (what, attempt) in WITHIN {
            match attempt(self) {
                Ok(()) => println!("TRIED {what} => DONE"),
                // EPERM is what seccomp was told to answer with.
                Err(error) if error.raw_os_error() == Some(1) => println!("TRIED {what} => refused"),
                Err(error) => println!("TRIED {what} => {error}"),
            }
        }
        let some = vec![1_u8; usize::try_from(MEMORY / 4).unwrap()];
        let elapsed = std::time::Instant::now().elapsed();
        let by_chance = std::collections::HashMap::from([(some.len(), elapsed)]);
        if by_chance.len() == 1 {
            println!("STILL WORKS pipe, memory, time, chance");
        }
    }
}
