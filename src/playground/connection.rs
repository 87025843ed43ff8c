//! Connections that can be cut, so that a request can go without an answer.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};

use axum::Router;
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use futures_util::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Cuts one connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Scissors(Arc<Cut>);

#[derive(Debug, Default)]
struct Cut {
    done: AtomicBool,
    reader: AtomicWaker,
}

/// All open connections.
#[derive(Default)]
pub(super) struct Connections(Mutex<Vec<Weak<Cut>>>);

/// Accepts until aborted.
pub(super) async fn serve(listener: TcpListener, connections: Arc<Connections>, router: Router) {
    let listener = Cuttable { listener, connections };
    let service = router.into_make_service_with_connect_info::<Scissors>();
    // It never ends by itself, and a fault of the listener is seen by the bot as an outage.
    let _ = axum::serve(listener, service).await;
}

impl Scissors {
    /// Closes the connection as if the network had broken.
    pub(super) fn cut(&self) {
        self.0.cut();
    }
}

impl Cut {
    fn cut(&self) {
        self.done.store(true, Ordering::SeqCst);
        self.reader.wake();
    }
}

impl Connections {
    /// Cuts every connection.
    pub(super) fn close_all(&self) {
        for cut in self.lock().drain(..).filter_map(|weak| weak.upgrade()) {
            cut.cut();
        }
    }

    fn add(&self, scissors: &Scissors) {
        let mut all = self.lock();
        all.retain(|weak| weak.strong_count() > 0);
        all.push(Arc::downgrade(&scissors.0));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Weak<Cut>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Cuttable {
    listener: TcpListener,
    connections: Arc<Connections>,
}

impl Listener for Cuttable {
    type Io = Stream;
    type Addr = std::net::SocketAddr;

    async fn accept(&mut self) -> (Stream, Self::Addr) {
        let (stream, address) = <TcpListener as Listener>::accept(&mut self.listener).await;
        let scissors = Scissors::default();
        self.connections.add(&scissors);
        (Stream { stream, scissors }, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, Cuttable>> for Scissors {
    fn connect_info(stream: IncomingStream<'_, Cuttable>) -> Self {
        stream.io().scissors.clone()
    }
}

struct Stream {
    stream: TcpStream,
    scissors: Scissors,
}

impl Stream {
    fn check(&self) -> io::Result<()> {
        if self.scissors.0.done.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        // Registered before the check: a cut between the two still wakes us.
        self.scissors.0.reader.register(cx.waker());
        self.check()?;
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
