//! Attempts to get a secret out, or a request to where none may go, against a real HTTP server: one test each.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use base64::Engine as _;

use crate::calls::fetch::*;

const SECRET: &str = "s3cret-k3y-4711";

/// A server that keeps what it was sent and tells it back plain, in headers, and in Base64 and hexadecimal.
async fn teller() -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = seen.clone();
    let app = axum::Router::new().fallback(
        move |uri: axum::http::Uri, headers: axum::http::HeaderMap, body: String| async move {
            let auth = headers.get("authorization").and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
            kept.lock().unwrap().push(format!("{uri} {auth} {body}"));
            let hex: String = auth.bytes().map(|byte| format!("{byte:02x}")).collect();
            let coded = base64::engine::general_purpose::STANDARD.encode(&auth);
            let mut back = axum::http::HeaderMap::new();
            back.insert("x-echo", auth.parse().unwrap());
            (axum::http::StatusCode::UNAUTHORIZED, back, format!("{auth}\n{coded}\n{hex}"))
        },
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, seen)
}

fn manifest(host: &str) -> Manifest {
    Manifest { hosts: vec![host.to_owned()], ..Manifest::default() }
}

fn request(url: &str, body: Option<&str>) -> FetchRequest {
    let headers = Vec::new();
    FetchRequest { method: "POST".to_owned(), url: url.to_owned(), headers, body: body.map(str::to_owned) }
}

fn bearer() -> [Filled<'static>; 1] {
    [Filled { slot: &Slot::Bearer, value: SECRET }]
}

#[tokio::test]
async fn a_placeholder_in_a_body_or_an_address_stays_text() {
    let (address, seen) = teller().await;
    let web = Web { allowed: Vec::new(), stand_ins: vec![("a.example".to_owned(), address)] };
    let asked = request("https://a.example/KEY/%7B%7BKEY%7D%7D?x=${KEY}", Some("${KEY} {{KEY}} KEY"));
    web.send(&asked, &manifest("a.example"), &bearer()).await.unwrap();
    let seen = seen.lock().unwrap().join("\n");
    assert!(seen.ends_with("${KEY} {{KEY}} KEY"), "{seen}");
    assert_eq!(seen.matches(SECRET).count(), 1, "in its slot and nowhere else: {seen}");
}

#[tokio::test]
async fn another_host_gets_nothing_at_all() {
    let (address, seen) = teller().await;
    let web = Web { allowed: vec![address], stand_ins: vec![("b.example".to_owned(), address)] };
    for url in ["https://b.example/", "https://a.example.b.example/", "https://a.example@b.example/"] {
        let error = web.send(&request(url, None), &manifest("a.example"), &bearer()).await.unwrap_err();
        assert_eq!(error.name, "PermissionError", "{url}: {}", error.message);
    }
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_name_that_leads_to_a_private_address_is_not_connected_to() {
    let (address, seen) = teller().await;
    let web = Web::default();
    for host in ["localhost", "127.0.0.1"] {
        let url = format!("http://{host}:{}/", address.port());
        let error = web.send(&request(&url, None), &manifest(host), &[]).await.unwrap_err();
        assert!(error.message.contains("private address"), "{}", error.message);
    }
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_header_echo_and_its_base64_and_hex_come_back_without_the_secret() {
    let (address, seen) = teller().await;
    let web = Web { allowed: Vec::new(), stand_ins: vec![("a.example".to_owned(), address)] };
    let reply = web.send(&request("https://a.example/", None), &manifest("a.example"), &bearer()).await.unwrap();
    assert!(seen.lock().unwrap()[0].contains(SECRET), "the server was given it");
    let clean = without(reply, &bearer());
    let shown = format!("{clean:?}");
    assert!(!shown.contains(SECRET), "{shown}");
    assert_eq!(clean.body.lines().filter(|line| line.contains(echo::HIDDEN)).count(), 3, "{}", clean.body);
}

#[tokio::test]
async fn an_error_text_names_the_host_and_no_secret() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let web = Web { allowed: Vec::new(), stand_ins: vec![("a.example".to_owned(), address)] };
    let slot = Slot::Query("key".to_owned());
    let secrets = [Filled { slot: &slot, value: SECRET }];
    let error = web.send(&request("https://a.example/", None), &manifest("a.example"), &secrets).await.unwrap_err();
    assert_eq!(error.message, "a.example cannot be reached");
}

/// A server of raw bytes: keeps what came, and answers each request in its turn.
async fn raw(answers: Vec<String>) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = seen.clone();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut bytes = vec![0; 16 * 1024];
            let mut read = 0;
            // A body may come behind its head; what comes within a moment is all.
            while let Ok(Ok(more)) =
                tokio::time::timeout(std::time::Duration::from_millis(200), stream.read(&mut bytes[read..])).await
            {
                read += more;
                if more == 0 {
                    break;
                }
            }
            kept.lock().unwrap().push(String::from_utf8_lossy(&bytes[..read]).into_owned());
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    (address, seen)
}

fn redirect(status: u16, to: &str) -> String {
    format!("HTTP/1.1 {status} X\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok";

/// Every way of writing a private address, with every host declared: none is connected to.
#[tokio::test]
async fn a_private_address_is_refused_however_it_is_written() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let hosts = [
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "017700000001",
        "127.1",
        "127.0.1",
        "0177.0.0.1",
        "0",
        "0.0.0.0",
        "127.0.0.1.",
        "127.255.255.254",
        "１２７.0.0.1",
        "127。0。0。1",
        "%31%32%37.0.0.1",
        "[::1]",
        "[::]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::7f00:1]",
        "[2002:7f00:1::]",
        "[2001:0:7f00:1::]",
        "[fe80::1]",
        "[fec0::1]",
        "[fc00::1]",
        "[ff02::1]",
        "169.254.169.254",
        "2852039166",
        "[::ffff:169.254.169.254]",
        "[fd00:ec2::254]",
        "localhost",
        "LOCALHOST",
        "localhost.",
    ];
    let web = Web::default();
    for host in hosts {
        let url = format!("http://{host}:{port}/");
        let error = web.send(&request(&url, None), &manifest("*"), &[]).await.unwrap_err();
        let is_refused = error.message.contains("private address") || error.message.contains("is not an address");
        assert!(is_refused || error.message.contains("not known by name"), "{host}: {}", error.message);
    }
    let silent = tokio::time::timeout(std::time::Duration::from_millis(50), listener.accept()).await;
    assert!(silent.is_err(), "somebody connected");
}

/// A name may have many addresses, private ones among them, and other ones when it is asked again: the one that was
/// looked at is the one that is connected to.
#[test]
fn of_a_names_addresses_only_one_that_was_judged_is_used() {
    let allowed: SocketAddr = "10.0.0.7:8080".parse().unwrap();
    let web = Web { allowed: vec![allowed], stand_ins: Vec::new() };
    let rows: [(&[&str], Option<&str>); 7] = [
        (&["10.0.0.1:443", "1.1.1.1:443"], Some("1.1.1.1:443")),
        (&["1.1.1.1:443", "10.0.0.1:443"], Some("1.1.1.1:443")),
        (&["10.0.0.1:443", "[::1]:443", "[::ffff:10.0.0.1]:443"], None),
        (&["10.0.0.7:8080"], Some("10.0.0.7:8080")),
        (&["10.0.0.7:443"], None),
        (&["[::ffff:10.0.0.7]:8080"], None),
        (&[], None),
    ];
    for (found, expected) in rows {
        let found = found.iter().map(|address| address.parse().unwrap()).collect();
        assert_eq!(web.reachable(found), expected.map(|address| address.parse().unwrap()));
    }
}

#[tokio::test]
async fn headers_cannot_smuggle_a_second_request_or_another_host() {
    for (name, value) in [
        ("x", "1\r\nauthorization: stolen"),
        ("x", "1\n\nGET /second HTTP/1.1"),
        ("x\r\ny", "1"),
        ("x: y\r\nz", "1"),
        ("", "1"),
        ("x y", "1"),
        ("x", "1\0"),
    ] {
        let web = Web { allowed: Vec::new(), stand_ins: vec![("a.example".to_owned(), teller().await.0)] };
        let headers = vec![(name.to_owned(), value.to_owned())];
        let asked = FetchRequest { headers, ..request("https://a.example/", None) };
        let error = web.send(&asked, &manifest("a.example"), &bearer()).await.unwrap_err();
        assert_eq!(error.name, "PermissionError", "{name:?} {value:?}: {}", error.message);
    }
    let (address, seen) = raw(vec![OK.to_owned()]).await;
    let web = Web { allowed: Vec::new(), stand_ins: vec![("a.example".to_owned(), address)] };
    let headers = [
        ("Host", "b.example"),
        ("content-length", "3"),
        ("Transfer-Encoding", "chunked"),
        ("connection", "upgrade"),
        ("proxy-authorization", "x"),
        ("Authorization", "Bearer mine"),
        ("x-fine", "yes"),
    ];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let body = Some("0\r\n\r\nGET /second HTTP/1.1\r\n\r\n");
    let asked = FetchRequest { headers, ..request("https://a.example/x", body) };
    web.send(&asked, &manifest("a.example"), &bearer()).await.unwrap();
    let seen = seen.lock().unwrap().join("").to_ascii_lowercase();
    let (head, sent) = seen.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("host: a.example") && head.contains("x-fine: yes"), "{head}");
    assert_eq!(head.matches("content-length:").count(), 1, "{head}");
    assert!(head.contains(&format!("content-length: {}", sent.len())), "{head} {sent}");
    for part in ["b.example", "transfer-encoding", "upgrade", "proxy-authorization", "bearer mine"] {
        assert!(!head.contains(part), "{part} in {head}");
    }
    assert_eq!(head.matches("authorization:").count(), 1, "{head}");
}

#[tokio::test]
async fn methods_that_open_tunnels_or_tell_back_and_odd_addresses_are_refused() {
    let (address, seen) = teller().await;
    let web = Web { allowed: Vec::new(), stand_ins: vec![("a.example".to_owned(), address)] };
    for method in ["CONNECT", "TRACE", "GET / HTTP/1.1\r\nx: y\r\n\r\n", "", "BREW"] {
        let asked = FetchRequest { method: method.to_owned(), ..request("https://a.example/", None) };
        assert!(web.send(&asked, &manifest("a.example"), &bearer()).await.is_err(), "{method:?}");
    }
    for url in [
        "https://user@a.example/",
        "https://user:word@a.example/",
        "https://:word@a.example/",
        "https://a.example:word@b.example/",
        "http://a.example/",
        "ftp://a.example/",
        "file:///etc/passwd",
        "data:text/plain,x",
        "javascript:1",
        "unix:/run/x",
        "//a.example/",
        "/x",
        "",
        "https://",
        "https://a.example.:443/",
        "https://a\u{200b}.example.com/",
        "https://a.example%00.b.example/",
    ] {
        let error = web.send(&request(url, None), &manifest("a.example"), &bearer()).await.unwrap_err();
        assert_eq!(error.name, "PermissionError", "{url}: {}", error.message);
    }
    assert!(seen.lock().unwrap().is_empty());
}

/// What a server may not make of a redirect, and how much arrives where it may.
#[tokio::test]
async fn a_redirect_leads_nowhere_that_was_not_declared_and_never_brings_a_secret_back() {
    for to in [
        "http://a.example/plain",
        "https://c.example/",
        "https://127.0.0.1/",
        "https://user:word@a.example/",
        "file:///etc/passwd",
        "//c.example/",
        "https://a.example@c.example/",
        "\\\\c.example\\x",
    ] {
        let (address, seen) = raw(vec![redirect(307, to), OK.to_owned()]).await;
        let stand_ins = ["a.example", "c.example"].map(|name| (name.to_owned(), address)).to_vec();
        let web = Web { allowed: Vec::new(), stand_ins };
        let asked = request("https://a.example/", Some("private"));
        let error = web.send(&asked, &manifest("a.example"), &bearer()).await.unwrap_err();
        assert_eq!(error.name, "PermissionError", "{to}: {}", error.message);
        assert_eq!(seen.lock().unwrap().len(), 1, "{to}: nobody else was asked");
    }
    // There and back again: home, but by another's wish.
    let back = vec![redirect(302, "https://b.example/"), redirect(302, "https://a.example/tell?all"), OK.to_owned()];
    let (address, seen) = raw(back).await;
    let stand_ins = ["a.example", "b.example"].map(|name| (name.to_owned(), address)).to_vec();
    let web = Web { allowed: Vec::new(), stand_ins };
    let manifest = Manifest { hosts: vec!["a.example".to_owned(), "b.example".to_owned()], ..Manifest::default() };
    web.send(&request("https://a.example/", Some("private")), &manifest, &bearer()).await.unwrap();
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen.len(), 3);
    assert!(seen[0].contains(SECRET) && seen[0].contains("private"));
    assert!(seen[1..].iter().all(|later| !later.contains(SECRET) && !later.contains("private")), "{seen:?}");
    // And round and round.
    let (address, seen) = raw(vec![redirect(302, "/again"); 20]).await;
    let web = Web { allowed: Vec::new(), stand_ins: vec![("a.example".to_owned(), address)] };
    let error = web.send(&request("https://a.example/", None), &manifest, &[]).await.unwrap_err();
    assert!(error.message.contains("redirects") && seen.lock().unwrap().len() == REDIRECTS + 1, "{}", error.message);
}
