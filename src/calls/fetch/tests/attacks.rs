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
