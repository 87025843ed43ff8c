mod attacks;

use super::*;

#[test]
fn private_addresses_are_told_from_public_ones() {
    let rows = [
        ("8.8.8.8", true),
        ("127.0.0.1", false),
        ("10.1.2.3", false),
        ("172.16.0.1", false),
        ("169.254.169.254", false),
        ("100.64.0.1", false),
        ("0.0.0.0", false),
        ("::1", false),
        ("fd00::1", false),
        ("fe80::1", false),
        ("::ffff:10.0.0.1", false),
        ("64:ff9b::a00:1", false),
        ("2002:a00:1::", false),
        ("2606:4700::1111", true),
    ];
    for (ip, expected) in rows {
        assert_eq!(is_public(ip.parse().unwrap()), expected, "{ip}");
    }
}

#[test]
fn an_echoed_secret_is_taken_out() {
    let reply = FetchReply {
        url: "https://x/?key=a%2Bb".into(),
        status: 401,
        headers: vec![("www-authenticate".into(), "key a+b".into())],
        body: "bad key a+b".into(),
    };
    let clean = without(reply, &[Filled { slot: &Slot::Bearer, value: "a+b" }]);
    assert_eq!((clean.url.as_str(), clean.body.as_str()), ("https://x/?key=[secret]", "bad key [secret]"));
    assert_eq!(clean.headers[0].1, "key [secret]");
}

/// A server that answers with the request's own head, and redirects `/away` to another name and `/home` to its own.
async fn mirror() -> SocketAddr {
    use axum::http::{HeaderMap, StatusCode, Uri};
    let app = axum::Router::new().fallback(|uri: Uri, headers: HeaderMap| async move {
        let to = match uri.path() {
            "/away" => "https://b.example/seen",
            "/home" => "/seen",
            _ => return (StatusCode::OK, HeaderMap::new(), format!("{uri} {headers:?}")),
        };
        let mut location = HeaderMap::new();
        location.insert("location", to.parse().unwrap());
        (StatusCode::FOUND, location, String::new())
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

#[tokio::test]
async fn a_redirect_to_another_declared_host_carries_no_secret() {
    let address = mirror().await;
    let stand_ins = ["a.example", "b.example"].map(|name| (name.to_owned(), address)).to_vec();
    let web = Web { allowed: Vec::new(), stand_ins };
    let manifest = Manifest { hosts: vec!["a.example".to_owned(), "b.example".to_owned()], ..Manifest::default() };
    let slots = [Slot::Bearer, Slot::Query("key".to_owned())];
    let secrets = slots.each_ref().map(|slot| Filled { slot, value: "s3cret-k3y" });
    for (path, is_told) in [("seen", true), ("home", true), ("away", false)] {
        let request = FetchRequest {
            method: "GET".to_owned(),
            url: format!("https://a.example/{path}"),
            headers: vec![("x-private".to_owned(), "of a.example".to_owned())],
            body: None,
        };
        let reply = web.send(&request, &manifest, &secrets).await.unwrap();
        assert_eq!(reply.body.contains("Bearer s3cret-k3y"), is_told, "{path}: {}", reply.body);
        assert_eq!(reply.body.contains("key=s3cret-k3y"), is_told, "{path}: {}", reply.body);
        assert_eq!(reply.body.contains("of a.example"), is_told, "{path}: {}", reply.body);
        let clean = without(reply, &secrets);
        assert!(!format!("{clean:?}").contains("s3cret-k3y"), "{clean:?}");
    }
}
