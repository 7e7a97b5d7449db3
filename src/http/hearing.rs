//! Threads that hear connections.
//!
//! As long as there are threads, a connection has one for itself: what it asks is read and answered where it was heard, for nobody else
//! waits there. To hand every request to another thread and its answer back makes whoever asked wait for two threads to wake up. The
//! connections for which no thread is left share those of the runtime and hand their work over, so that none waits for another.

use super::error::Error;
use axum::Router;
use axum::extract::Request;
use axum::serve::{IncomingStream, Listener};
use std::convert::Infallible;
use std::future::{pending, ready};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tower::util::{MapRequest, MapRequestLayer};
use tower::{Layer, service_fn};

/// How long what a request has handed over may take when its thread ends.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// Said of a request whose connection has this thread for itself.
#[derive(Clone, Copy, Debug)]
pub struct Alone(());

/// Does the work in this thread if that hears nobody else, otherwise in another one. Fails with [`Error::Broken`] when it breaks down.
pub async fn done<T: Send + 'static>(alone: Option<Alone>, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    if alone.is_some() {
        return catch_unwind(AssertUnwindSafe(work)).map_err(Error::of_panic);
    }
    spawn_blocking(work).await.map_err(|error| match error.try_into_panic() {
        Ok(panic) => Error::of_panic(panic),
        Err(error) => Error::Broken(error.to_string()),
    })
}

/// The use of a thread by its one connection, until that ends.
#[derive(Debug)]
struct Used(Arc<AtomicBool>);

impl Used {
    fn begin(used: &Arc<AtomicBool>) -> Used {
        used.store(true, Ordering::Relaxed);
        Used(Arc::clone(used))
    }
}

impl Drop for Used {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// A connection, and its use of a thread where it has one for itself.
type Connection = (std::net::TcpStream, Option<Arc<Used>>);
type Connections = mpsc::UnboundedReceiver<Connection>;

/// When threads that hear shall end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Never,
    /// When their requests are answered.
    Answered,
}

/// A thread that hears one connection after the other.
struct Hearer {
    used: Arc<AtomicBool>,
    hand: mpsc::UnboundedSender<Connection>,
    thread: JoinHandle<()>,
}

/// All who hear. They hear no more when this is dropped; a request that is being worked on in its thread keeps that until it is done.
pub struct Hearers {
    routes: Router,
    most: usize,
    own: Vec<Hearer>,
    /// To those that share the threads of the runtime.
    shared: mpsc::UnboundedSender<Connection>,
    sharing: tokio::task::JoinHandle<()>,
    stop: watch::Sender<Stop>,
}

impl Hearers {
    /// At most so many connections have threads of their own, begun as they are needed; all are answered by these routes. To be called
    /// within a runtime.
    pub fn new(routes: Router, most: usize) -> Hearers {
        let (stop, (shared, connections)) = (watch::Sender::new(Stop::Never), mpsc::unbounded_channel());
        let sharing = tokio::spawn(hear(routes.clone(), connections, stop.subscribe()));
        Hearers { routes, most, own: Vec::new(), shared, sharing, stop }
    }

    /// Has a connection heard, in a thread of its own if there is one.
    ///
    /// # Errors
    /// When the connection has broken.
    pub fn hand(&mut self, connection: TcpStream) -> io::Result<()> {
        // Answers are written whole: nothing is gained by waiting for more.
        connection.set_nodelay(true)?;
        let mut connection = connection.into_std()?;
        if let Some(at) = self.free() {
            let hearer = &self.own[at];
            match hearer.hand.send((connection, Some(Arc::new(Used::begin(&hearer.used))))) {
                Ok(()) => return Ok(()),
                // The thread has broken down.
                Err(mpsc::error::SendError((back, _))) => connection = back,
            }
            self.own.swap_remove(at);
        }
        self.shared.send((connection, None)).map_err(|_| io::Error::other("nobody hears any more"))
    }

    fn free(&mut self) -> Option<usize> {
        let free = self.own.iter().position(|hearer| !hearer.used.load(Ordering::Relaxed));
        if free.is_some() || self.own.len() >= self.most {
            return free;
        }
        match Hearer::begin(self.routes.clone(), self.stop.subscribe()) {
            Ok(hearer) => self.own.push(hearer),
            Err(error) => {
                tracing::warn!(error = %error, "the system gives no thread for a connection; it shares those that there are");
                return None;
            }
        }
        Some(self.own.len() - 1)
    }

    /// Ends when the requests under way are answered.
    pub async fn end(mut self) -> io::Result<()> {
        self.stop.send_replace(Stop::Answered);
        let threads: Vec<_> = self.own.drain(..).map(|hearer| hearer.thread).collect();
        let own = spawn_blocking(|| threads.into_iter().for_each(|thread| drop(thread.join())));
        (&mut self.sharing).await.map_err(io::Error::other)?;
        own.await.map_err(io::Error::other)
    }
}

impl Hearer {
    fn begin(routes: Router, stop: watch::Receiver<Stop>) -> io::Result<Hearer> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (hand, connections) = mpsc::unbounded_channel();
        let thread = std::thread::Builder::new().name("hearer".to_owned()).spawn(move || {
            runtime.block_on(hear(routes, connections, stop));
            runtime.shutdown_timeout(LAST_PATIENCE);
        })?;
        Ok(Hearer { used: Arc::default(), hand, thread })
    }
}

async fn hear(routes: Router, connections: Connections, stop: watch::Receiver<Stop>) {
    let routes = service_fn(move |connection: IncomingStream<'_, Handed>| {
        let service: Result<_, Infallible> = Ok(with(&routes, connection.remote_addr().clone()));
        ready(service)
    });
    let (mut finish, mut dropped) = (stop.clone(), stop);
    let serving = axum::serve(Handed(connections), routes).with_graceful_shutdown(async move {
        let _ = finish.wait_for(|stop| *stop == Stop::Answered).await;
    });
    tokio::select! {
        _ = serving => {}
        () = async { while dropped.changed().await.is_ok() {} } => {}
    }
}

/// These routes for one connection; its requests know whether it has the thread for itself.
fn with(routes: &Router, used: Option<Arc<Used>>) -> MapRequest<Router, impl FnMut(Request) -> Request + Clone + use<>> {
    let know = move |mut request: Request| {
        if used.is_some() {
            request.extensions_mut().insert(Alone(()));
        }
        request
    };
    MapRequestLayer::new(know).layer(routes.clone())
}

/// The connections that are handed over.
struct Handed(Connections);

impl Listener for Handed {
    type Io = TcpStream;
    type Addr = Option<Arc<Used>>;

    async fn accept(&mut self) -> (TcpStream, Option<Arc<Used>>) {
        loop {
            match self.0.recv().await {
                Some((connection, used)) => {
                    if let Ok(connection) = TcpStream::from_std(connection) {
                        return (connection, used);
                    }
                }
                // No more will come.
                None => pending().await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<Option<Arc<Used>>> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
