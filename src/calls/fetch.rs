//! The network for skill code: only declared hosts, secrets filled in here, nothing private reached.
//!
//! Invariants:
//! - A request goes only to a host that the skill's manifest declares; each redirect is judged anew.
//! - A secret is put into its slot here, for the declared host that the skill asked for and no other, and is taken out
//!   of what comes back, errors too. The journal holds the request as the skill wrote it.
//! - A redirect to another origin gets no secret and none of the headers that the skill gave, and neither does what
//!   comes after it, back home too.
//! - A name is resolved once and that address is connected to; private addresses are refused unless the operator's
//!   configuration allows that address and port.

mod echo;

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use url::Url;

use super::house::House;
use super::loading::Skills;
use crate::call::CallError;
use crate::chat::ids::RoomId;
use crate::journal::{Key, Kind};
use crate::sandbox::{Fetch, FetchReply, FetchRequest};
use crate::skills::manifest::{Manifest, Slot};

/// How long one request may take.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Bytes of an answer that a skill gets.
const LARGEST: usize = 1024 * 1024;
/// How many redirects are followed.
const REDIRECTS: usize = 5;
/// What may be asked of a server: nothing that opens a tunnel or has the request told back.
const METHODS: [reqwest::Method; 7] = {
    use reqwest::Method;
    [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS]
};
/// Headers that say where a request goes, where it ends and who passes it on. They are the HTTP client's to write: two
/// that disagree let one request pass for two.
const OURS: [&str; 11] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "keep-alive",
    "upgrade",
    "te",
    "trailer",
    "expect",
    "proxy-authorization",
    "proxy-connection",
];

/// The network as this process reaches it.
#[derive(Clone, Debug, Default)]
pub struct Web {
    /// Private addresses that the operator allows.
    pub allowed: Vec<SocketAddr>,
    /// Where requests for a host really go: for tests and recordings that have no network.
    pub stand_ins: Vec<(String, SocketAddr)>,
}

/// The fetches of one skill call.
pub(super) struct Errand<'a> {
    pub(super) house: &'a House,
    pub(super) skills: &'a Skills,
    pub(super) room: RoomId,
    pub(super) n: u64,
    pub(super) skill: &'a str,
}

/// A secret with the place where it goes.
struct Filled<'a> {
    slot: &'a Slot,
    value: &'a str,
}

impl Fetch for Errand<'_> {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchReply, CallError> {
        let key = Key::of(self.room, Kind::Fetched).number(self.n);
        self.house.tape.outside(key, &request, self.live(&request)).await.answer
    }
}

impl Errand<'_> {
    async fn live(&self, request: &FetchRequest) -> Result<FetchReply, CallError> {
        let Some(hands) = &self.house.hands else {
            return Err(CallError::new("NetworkError", "there is no network here"));
        };
        let skill = self.skills.registry.skill(self.skill);
        let manifest = skill.map(|skill| &skill.manifest).ok_or_else(|| refused("the skill is gone"))?;
        let given = manifest.secrets.iter().filter_map(|(name, s)| Some((s, self.house.secret(self.skill, name)?)));
        let given: Vec<_> = given.collect();
        let secrets: Vec<Filled<'_>> =
            given.iter().map(|(secret, value)| Filled { slot: &secret.slot, value: value.expose() }).collect();
        hands.web.send(request, manifest, &secrets).await.map(|reply| without(reply, &secrets)).map_err(|error| {
            let hide = |text: String, secret: &Filled<'_>| echo::without(&text, secret.value);
            CallError { message: secrets.iter().fold(error.message, hide), ..error }
        })
    }
}

impl Web {
    async fn send(
        &self,
        request: &FetchRequest,
        manifest: &Manifest,
        secrets: &[Filled<'_>],
    ) -> Result<FetchReply, CallError> {
        let mut url = Url::parse(&request.url).map_err(|_| refused(&format!("{:?} is not an address", request.url)))?;
        let mut method: reqwest::Method = request
            .method
            .to_ascii_uppercase()
            .parse()
            .ok()
            .filter(|method| METHODS.contains(method))
            .ok_or_else(|| refused("the method must be GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS"))?;
        let mut body = request.body.clone();
        let origin = url.origin();
        let away = FetchRequest { headers: Vec::new(), ..request.clone() };
        let mut is_home = true;
        for _ in 0..=REDIRECTS {
            // Once it led elsewhere, whoever is there chooses where it goes: what comes back is theirs, not the skill's.
            is_home &= url.origin() == origin;
            let (request, secrets) = if is_home { (request, secrets) } else { (&away, &[][..]) };
            let reply = self.once(&url, &method, request, body.as_deref(), manifest, secrets).await?;
            let location = match reply.status().as_u16() {
                301 | 302 | 303 | 307 | 308 => reply.headers().get("location").and_then(|v| v.to_str().ok()),
                _ => None,
            };
            let Some(location) = location else { return read(reply).await };
            let next = url.join(location).map_err(|_| refused("the server redirected to no address"))?;
            if !matches!(reply.status().as_u16(), 307 | 308) && method != reqwest::Method::HEAD {
                method = reqwest::Method::GET;
                body = None;
            }
            if url.scheme() == "https" && next.scheme() != "https" {
                return Err(refused("the server redirected to an address that is not https"));
            }
            url = next;
        }
        Err(CallError::new("NetworkError", format!("more than {REDIRECTS} redirects")))
    }

    async fn once(
        &self,
        url: &Url,
        method: &reqwest::Method,
        request: &FetchRequest,
        body: Option<&str>,
        manifest: &Manifest,
        secrets: &[Filled<'_>],
    ) -> Result<reqwest::Response, CallError> {
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("the address holds a user or password; declare a secret for it"));
        }
        let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
        if !is_declared(&host, manifest) {
            return Err(refused(&format!("the skill does not declare the host {host:?}")));
        }
        let port = url.port_or_known_default().unwrap_or(0);
        let address = self.address(&host, port).await?;
        // Plain HTTP would show the secret on the way; only an address that the operator allowed may have it.
        let is_allowed = self.allowed.contains(&address);
        let is_stand_in = self.stand_ins.iter().any(|(name, _)| *name == host);
        if url.scheme() != "https" && !(url.scheme() == "http" && (is_allowed || secrets.is_empty())) {
            return Err(refused("only https addresses are fetched"));
        }
        let mut target = url.clone();
        if is_stand_in && target.set_scheme("http").is_err() {
            return Err(refused("that address cannot be stood in for"));
        }
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(TIMEOUT)
            .resolve(&host, address)
            .build()
            .map_err(|e| CallError::new("NetworkError", e.to_string()))?;
        if is_stand_in && target.set_port(Some(address.port())).is_err() {
            return Err(refused("that address cannot be stood in for"));
        }
        for secret in secrets {
            if let Slot::Query(name) = secret.slot {
                target.query_pairs_mut().append_pair(name, secret.value);
            }
        }
        let mut out = client.request(method.clone(), target);
        for (name, value) in &request.headers {
            let is_filled = secrets.iter().any(|s| fills_header(s.slot, name));
            let is_ours = OURS.iter().any(|ours| name.eq_ignore_ascii_case(ours));
            if !is_filled && !is_ours {
                let name = name.parse::<HeaderName>().map_err(|_| refused(&format!("{name:?} is no header's name")))?;
                let value = HeaderValue::from_str(value).map_err(|_| {
                    refused(&format!("the header {name} may hold no line breaks or control characters"))
                })?;
                out = out.header(name, value);
            }
        }
        for secret in secrets {
            out = match secret.slot {
                Slot::Bearer => out.bearer_auth(secret.value),
                Slot::Basic => match secret.value.split_once(':') {
                    Some((user, password)) => out.basic_auth(user, Some(password)),
                    None => out.basic_auth(secret.value, None::<&str>),
                },
                Slot::Header(name) => out.header(name, secret.value),
                Slot::Query(_) => out,
            };
        }
        if let Some(body) = body {
            out = out.body(body.to_owned());
        }
        out.send().await.map_err(|e| {
            let what = if e.is_timeout() { "did not answer in time" } else { "cannot be reached" };
            CallError::new("NetworkError", format!("{host} {what}"))
        })
    }

    async fn address(&self, host: &str, port: u16) -> Result<SocketAddr, CallError> {
        if let Some((_, address)) = self.stand_ins.iter().find(|(name, _)| name == host) {
            return Ok(*address);
        }
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let found: Vec<SocketAddr> = match bare.parse::<IpAddr>() {
            Ok(ip) => vec![SocketAddr::new(ip, port)],
            Err(_) => tokio::net::lookup_host((bare, port))
                .await
                .map_err(|_| CallError::new("NetworkError", format!("{host} is not known by name")))?
                .collect(),
        };
        self.reachable(found).ok_or_else(|| refused(&format!("{host} is a private address")))
    }

    /// The first of a name's addresses that may be connected to. It is the one that is connected to: the name is not
    /// asked again.
    fn reachable(&self, found: Vec<SocketAddr>) -> Option<SocketAddr> {
        found.into_iter().find(|address| is_public(address.ip()) || self.allowed.contains(address))
    }
}

fn is_declared(host: &str, manifest: &Manifest) -> bool {
    manifest.hosts.iter().any(|declared| declared.eq_ignore_ascii_case(host) || declared == "*")
}

fn fills_header(slot: &Slot, name: &str) -> bool {
    match slot {
        Slot::Bearer | Slot::Basic => name.eq_ignore_ascii_case("authorization"),
        Slot::Header(header) => name.eq_ignore_ascii_case(header),
        Slot::Query(_) => false,
    }
}

async fn read(mut reply: reqwest::Response) -> Result<FetchReply, CallError> {
    let url = reply.url().to_string();
    let status = reply.status().as_u16();
    let headers = reply
        .headers()
        .iter()
        .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())))
        .collect();
    let mut bytes = Vec::new();
    loop {
        match reply.chunk().await {
            Ok(Some(chunk)) if bytes.len() + chunk.len() > LARGEST => {
                return Err(CallError::new("RangeError", format!("the answer has more than {LARGEST} bytes")));
            }
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(_) => return Err(CallError::new("NetworkError", "the answer broke off")),
        }
    }
    Ok(FetchReply { url, status, headers, body: String::from_utf8_lossy(&bytes).into_owned() })
}

/// The reply with every echo of a secret taken out.
fn without(mut reply: FetchReply, secrets: &[Filled<'_>]) -> FetchReply {
    for secret in secrets {
        reply.url = echo::without(&reply.url, secret.value);
        reply.body = echo::without(&reply.body, secret.value);
        for (name, value) in &mut reply.headers {
            *name = echo::without(name, secret.value);
            *value = echo::without(value, secret.value);
        }
    }
    reply
}

fn refused(why: &str) -> CallError {
    CallError::new("PermissionError", format!("fetch: {why}"))
}

/// Whether an address is one of the open internet.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(v4) => {
            let [a, b, ..] = v4.octets();
            !(v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_unspecified()
                || v4.is_broadcast()
                || v4.is_documentation()
                || v4.is_multicast()
                || a == 0
                || a >= 240
                // Carrier-grade NAT and benchmarking networks.
                || (a == 100 && (64..128).contains(&b))
                || (a == 198 && (b == 18 || b == 19))
                || (a == 192 && b == 0))
        }
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => is_public(IpAddr::V4(v4)),
            None => {
                let [first, second, ..] = v6.segments();
                // Only global unicast, without documentation, 6to4 and Teredo, which can carry a private v4 inside.
                (first & 0xe000) == 0x2000 && !(first == 0x2001 && (second == 0xdb8 || second == 0)) && first != 0x2002
            }
        },
    }
}

#[cfg(test)]
mod tests;
