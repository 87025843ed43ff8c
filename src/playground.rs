//! An embedded Telegram Bot API server: real HTTP on a local port, for the demo, local chat and tests.
//!
//! It behaves as Telegram does where a bot could notice: offsets confirm updates, message ids count per chat, a second
//! poller ends the first, errors have Telegram's shape and words. People are moved by [`Server::say`] and its sisters;
//! what the bot did is in [`Server::acts`]. It can also fail on demand ([`Server::fail_next`]).

mod connection;
mod entities;
mod http;
mod method;
mod more;
mod updates;
mod world;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::sync::{Notify, broadcast};

use self::world::World;
use crate::chat::ids::{ChatId, MessageId, PersonId, TopicId};
use crate::chat::person::Profile;
use crate::clock::Clock;
use crate::time::Timestamp;

/// How many acts a slow watcher may lag behind before it misses some.
const WATCHED: usize = 1024;

/// A running server; it stops when dropped.
pub struct Server {
    shared: Arc<Shared>,
    address: std::net::SocketAddr,
    connections: Arc<connection::Connections>,
    accepting: Mutex<tokio::task::JoinHandle<()>>,
}

/// Something visible that the bot did.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenAct {
    /// The Bot API method, as documented: `sendMessage`.
    pub method: String,
    /// Where; 0 for methods without a chat.
    pub chat: ChatId,
    /// In which topic.
    pub topic: Option<TopicId>,
    /// The text sent, or the emoji of a reaction.
    pub text: String,
    /// The message replied to.
    pub reply_to: Option<MessageId>,
    /// The message sent, or the one acted on.
    pub message: Option<MessageId>,
    /// When.
    pub at: Timestamp,
    /// The request as it came.
    pub body: Value,
}

/// What the bot may do in a chat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// Read and write.
    #[default]
    Member,
    /// Read.
    Muted,
    /// Nothing.
    Out,
}

/// How a request fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// This HTTP status with this body; nothing happens.
    Status {
        /// The status.
        code: u16,
        /// The body, JSON or not.
        body: String,
    },
    /// 429: wait that many seconds; nothing happens.
    Retry(u32),
    /// Nothing happens and no answer ever comes.
    Hang,
    /// It happens, and the connection closes without an answer.
    Drop,
    /// It happens, and the answer takes that long.
    Late(std::time::Duration),
    /// No failure: lets one request through before the next failure in the queue.
    Pass,
}

/// Looks at a request's method and parameters; says what is wrong with them.
pub type Check = fn(&str, &Value) -> Option<String>;

struct Shared {
    world: Mutex<World>,
    token: String,
    clock: Clock,
    /// Rings at every new update and every new poll.
    news: Notify,
    watchers: broadcast::Sender<SeenAct>,
}

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Server {
    /// Starts a server for one bot on a free local port. Needs a tokio runtime.
    pub async fn start(bot: Profile, clock: Clock) -> io::Result<Server> {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let token = format!("{}:playground", bot.id);
        let bot = Profile { is_bot: true, ..bot };
        let shared = Arc::new(Shared {
            world: Mutex::new(World::new(bot)),
            token,
            clock,
            news: Notify::new(),
            watchers: broadcast::Sender::new(WATCHED),
        });
        let connections = Arc::new(connection::Connections::default());
        let accepting = tokio::spawn(connection::serve(listener, connections.clone(), http::router(shared.clone())));
        Ok(Server { shared, address, connections, accepting: Mutex::new(accepting) })
    }

    /// Numbers messages and updates above `base` from now on, for a bot that remembers an earlier server's.
    pub fn count_from(&self, base: i64) {
        self.shared.world().count_from(base);
    }

    /// What goes into `telegram.api`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What goes into `telegram.token`.
    pub fn token(&self) -> &str {
        &self.shared.token
    }

    /// Opens a supergroup with the bot in it.
    pub fn add_group(&self, title: &str) -> ChatId {
        self.shared.world().add_group(title)
    }

    /// Opens a forum topic; messages in it are said with [`Server::say_in`].
    pub fn add_topic(&self, chat: ChatId, name: &str) -> TopicId {
        self.shared.world().add_topic(chat, name)
    }

    /// Introduces a person, or changes what they are called.
    pub fn add_person(&self, id: PersonId, name: &str, username: Option<&str>, language: Option<&str>) {
        let some = |text: Option<&str>| text.map(str::to_owned);
        let profile =
            Profile { id, name: name.to_owned(), username: some(username), is_bot: false, language: some(language) };
        self.shared.world().add_person(profile);
    }

    /// Puts a person into a group without a word; they also join by speaking.
    pub fn join(&self, chat: ChatId, person: PersonId) {
        self.shared.world().join(chat, person);
    }

    /// Takes a person out of a group without a word.
    pub fn leave(&self, chat: ChatId, person: PersonId) {
        self.shared.world().leave(chat, person);
    }

    /// A person says something in a group, or in their DM with the bot (`person.dm()`). Mentions, commands and links
    /// get their entities.
    pub fn say(&self, chat: ChatId, from: PersonId, text: &str, reply_to: Option<MessageId>) -> MessageId {
        self.say_in(chat, None, from, text, reply_to)
    }

    /// The same in a topic.
    pub fn say_in(
        &self,
        chat: ChatId,
        topic: Option<TopicId>,
        from: PersonId,
        text: &str,
        reply_to: Option<MessageId>,
    ) -> MessageId {
        let now = self.shared.clock.now();
        let id = self.shared.world().say(chat, topic, from, text, reply_to, now);
        self.shared.news.notify_waiters();
        id
    }

    /// A person sends what is not plain text: `fields` are those of the `Message` as the API shows it (`photo`,
    /// `caption`, `media_group_id`, `sender_chat`); they stand beside or in place of the usual ones.
    pub fn send(&self, chat: ChatId, from: PersonId, fields: &Value) -> MessageId {
        let now = self.shared.clock.now();
        let id = self.shared.world().send(chat, from, fields, now);
        self.shared.news.notify_waiters();
        id
    }

    /// Keeps a file that messages name by this `file_id`; it is served under `path`.
    pub fn add_file(&self, file_id: &str, path: &str, bytes: Vec<u8>) {
        self.shared.world().files.insert(file_id.to_owned(), (path.to_owned(), bytes));
    }

    /// How often files were downloaded.
    pub fn downloads(&self) -> u64 {
        self.shared.world().downloads
    }

    /// A person changes a message of theirs.
    pub fn edit(&self, chat: ChatId, message: MessageId, text: &str) {
        let now = self.shared.clock.now();
        self.shared.world().edit(chat, message, text, now);
        self.shared.news.notify_waiters();
    }

    /// A person's reactions to a message become these.
    pub fn react(&self, chat: ChatId, message: MessageId, from: PersonId, emoji: &[&str]) {
        let now = self.shared.clock.now();
        self.shared.world().react(chat, message, from, emoji, now);
        self.shared.news.notify_waiters();
    }

    /// A person presses a button of a message that is there; the query's id, for whoever waits for its answer.
    pub fn press(&self, chat: ChatId, message: MessageId, from: PersonId, data: &str) -> Option<String> {
        let query = self.shared.world().press(chat, message, from, data);
        self.shared.news.notify_waiters();
        query
    }

    /// Somebody lets the bot in, mutes it, or throws it out (in a DM: blocks it).
    pub fn set_standing(&self, chat: ChatId, standing: Standing, by: PersonId) {
        let now = self.shared.clock.now();
        self.shared.world().set_standing(chat, standing, by, now);
        self.shared.news.notify_waiters();
    }

    /// Somebody deletes a message: nobody is told, and replies to it fail from now on.
    pub fn delete(&self, chat: ChatId, message: MessageId) {
        self.shared.world().delete(chat, message);
    }

    /// The group gets a new id, and requests to the old one fail with it.
    pub fn migrate(&self, chat: ChatId) -> ChatId {
        let now = self.shared.clock.now();
        let to = self.shared.world().migrate(chat, now);
        self.shared.news.notify_waiters();
        to
    }

    /// Queues a raw update; its `update_id` is set to the next number, which is returned.
    pub fn push_update(&self, update: Value) -> i64 {
        let id = self.shared.world().push(update);
        self.shared.news.notify_waiters();
        id
    }

    /// Has every request looked at before it is answered. What is objected to is refused, and fails the test that the
    /// server was made for when it is dropped.
    pub fn check_requests(&self, check: Check) {
        self.shared.world().check = Some(check);
    }

    /// How often the bot showed in a chat that it types.
    pub fn typing_signs(&self, chat: ChatId) -> usize {
        self.shared.world().signs.iter().filter(|shown| **shown == chat).count()
    }

    /// Says in `getMe` that the bot is in privacy mode; messages are told all the same.
    pub fn set_privacy_mode(&self, is_on: bool) {
        self.shared.world().is_private = is_on;
    }

    /// Everything visible that the bot did, oldest first.
    pub fn acts(&self) -> Vec<SeenAct> {
        self.shared.world().acts.clone()
    }

    /// Everything visible that the bot does from now on.
    pub fn watch(&self) -> broadcast::Receiver<SeenAct> {
        self.shared.watchers.subscribe()
    }

    /// The last update that the bot confirmed; 0 before the first.
    pub fn acknowledged(&self) -> i64 {
        self.shared.world().acknowledged
    }

    /// How many updates wait to be confirmed.
    pub fn pending(&self) -> usize {
        self.shared.world().updates.len()
    }

    /// How many `getUpdates` came so far.
    pub fn polls(&self) -> u64 {
        self.shared.world().polls
    }

    /// Lets the next requests of a method fail; several calls queue up.
    pub fn fail_next(&self, method: &str, times: u32, how: Failure) {
        self.shared.world().fail_next(method, times, how);
    }

    /// Cuts every open connection, as when the network breaks for a moment.
    pub fn cut(&self) {
        self.connections.close_all();
    }

    /// Takes the server off the network: connections are cut and new ones refused, while people go on talking.
    pub fn unplug(&self) {
        self.accepting.lock().unwrap_or_else(PoisonError::into_inner).abort();
        self.cut();
    }

    /// Puts it back, at the same address.
    pub async fn plug(&self) -> io::Result<()> {
        let listener = tokio::net::TcpListener::bind(self.address).await?;
        let router = http::router(self.shared.clone());
        let accepting = tokio::spawn(connection::serve(listener, self.connections.clone(), router));
        *self.accepting.lock().unwrap_or_else(PoisonError::into_inner) = accepting;
        Ok(())
    }

    /// Ends what [`Server::fail_next`] began.
    pub fn recover(&self, method: &str) {
        self.shared.world().recover(method);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.unplug();
        let objections = &self.shared.world().objections;
        assert!(objections.is_empty() || std::thread::panicking(), "requests were not as documented: {objections:#?}");
    }
}

impl Failure {
    /// An error with Telegram's own shape.
    pub fn api(code: u16, description: &str) -> Failure {
        let body = json!({"ok": false, "error_code": code, "description": description});
        Failure::Status { code, body: body.to_string() }
    }
}
