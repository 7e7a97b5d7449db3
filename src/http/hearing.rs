//! Threads that hear connections.
//!
//! As long as there are threads, each connection has one of its own: what it asks is read and answered where it was heard, and nobody
//! else waits meanwhile. To hand every request to another thread and its answer back makes whoever asks wait for two threads to wake up.
//! Connections that share a thread hand their work over, so that none waits for another.

use super::error::Error;
use axum::Router;
use axum::extract::Request;
use axum::serve::{IncomingStream, Listener};
use std::convert::Infallible;
use std::future::{pending, ready};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tower::util::{MapRequest, MapRequestLayer};
use tower::{Layer, service_fn};

/// The thread that hears a connection, as its requests know it.
#[derive(Clone, Debug)]
pub struct Heard(Arc<Connection>);

impl Heard {
    /// Whether no other connection is heard by this thread, so that its work may be done there.
    fn alone(&self) -> bool {
        self.0.0.connections.load(Ordering::Relaxed) == 1
    }
}

/// Does the work in this thread if that hears nobody else, otherwise in another one. Fails with [`Error::Broken`] when it breaks down.
pub async fn done<T: Send + 'static>(heard: Option<&Heard>, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let Some(heard) = heard.filter(|heard| heard.alone()) else {
        return spawn_blocking(work).await.map_err(|error| match error.try_into_panic() {
            Ok(panic) => Error::of_panic(panic),
            Err(error) => Error::Broken(error.to_string()),
        });
    };
    let working = &heard.0.0.working;
    working.store(true, Ordering::Relaxed);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    working.store(false, Ordering::Relaxed);
    outcome.map_err(Error::of_panic)
}

/// What a thread has to do.
#[derive(Debug, Default)]
struct Load {
    connections: AtomicUsize,
    /// Whether it does work itself, and hears nobody meanwhile.
    working: AtomicBool,
}

/// One connection of a thread, counted until it ends.
#[derive(Debug)]
struct Connection(Arc<Load>);

impl Connection {
    fn of(load: &Arc<Load>) -> Connection {
        load.connections.fetch_add(1, Ordering::Relaxed);
        Connection(Arc::clone(load))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// When threads that hear shall end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Never,
    /// When their requests are answered.
    Answered,
}

/// One thread that hears.
struct Hearer {
    load: Arc<Load>,
    hand: mpsc::UnboundedSender<(std::net::TcpStream, Heard)>,
    thread: JoinHandle<()>,
}

/// All of them. Those that are left end when this is dropped, whatever they do.
pub struct Hearers {
    routes: Router,
    most: usize,
    all: Vec<Hearer>,
    stop: watch::Sender<Stop>,
}

impl Hearers {
    /// At most so many threads, begun as they are needed, that answer by these routes.
    pub fn new(routes: Router, most: usize) -> Hearers {
        Hearers { routes, most, all: Vec::new(), stop: watch::Sender::new(Stop::Never) }
    }

    /// Has a connection heard by the thread that hears the fewest, by a new one if all have something to do.
    ///
    /// # Errors
    /// When the first thread cannot be begun, or the connection has broken.
    pub fn hand(&mut self, connection: TcpStream) -> io::Result<()> {
        // Answers are written whole: nothing is gained by waiting for more.
        connection.set_nodelay(true)?;
        let mut connection = connection.into_std()?;
        loop {
            let at = self.free()?;
            let hearer = &self.all[at];
            match hearer.hand.send((connection, Heard(Arc::new(Connection::of(&hearer.load))))) {
                Ok(()) => return Ok(()),
                // It has broken down.
                Err(mpsc::error::SendError(back)) => connection = back.0,
            }
            self.all.swap_remove(at);
        }
    }

    fn free(&mut self) -> io::Result<usize> {
        let load = |hearer: &Hearer| (hearer.load.working.load(Ordering::Relaxed), hearer.load.connections.load(Ordering::Relaxed));
        let known = self.all.iter().enumerate().map(|(at, hearer)| (load(hearer), at)).min();
        match known {
            Some(((_, 0), at)) => return Ok(at),
            Some((_, at)) if self.all.len() >= self.most => return Ok(at),
            _ => {}
        }
        match (Hearer::begin(self.routes.clone(), self.stop.subscribe()), known) {
            (Ok(hearer), _) => self.all.push(hearer),
            (Err(_), Some((_, at))) => return Ok(at),
            (Err(error), None) => return Err(error),
        }
        Ok(self.all.len() - 1)
    }

    /// Ends when the requests under way are answered.
    pub async fn end(mut self) -> io::Result<()> {
        self.stop.send_replace(Stop::Answered);
        let threads: Vec<_> = self.all.drain(..).map(|hearer| hearer.thread).collect();
        let ended = spawn_blocking(|| threads.into_iter().for_each(|thread| drop(thread.join())));
        ended.await.map_err(io::Error::other)
    }
}

impl Hearer {
    fn begin(routes: Router, stop: watch::Receiver<Stop>) -> io::Result<Hearer> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (hand, handed) = mpsc::unbounded_channel();
        let thread = std::thread::Builder::new().name("hearer".to_owned()).spawn(move || {
            runtime.block_on(hear(routes, handed, stop));
            runtime.shutdown_background();
        })?;
        Ok(Hearer { load: Arc::default(), hand, thread })
    }
}

async fn hear(routes: Router, handed: mpsc::UnboundedReceiver<(std::net::TcpStream, Heard)>, stop: watch::Receiver<Stop>) {
    let routes = service_fn(move |connection: IncomingStream<'_, Handed>| {
        let service: Result<_, Infallible> = Ok(with(&routes, connection.remote_addr().clone()));
        ready(service)
    });
    let (mut finish, mut dropped) = (stop.clone(), stop);
    let serving = axum::serve(Handed(handed), routes).with_graceful_shutdown(async move {
        let _ = finish.wait_for(|stop| *stop == Stop::Answered).await;
    });
    tokio::select! {
        _ = serving => {}
        () = async { while dropped.changed().await.is_ok() {} } => {}
    }
}

/// These routes, whose requests know by which thread they were heard.
fn with(routes: &Router, heard: Option<Heard>) -> MapRequest<Router, impl FnMut(Request) -> Request + Clone + use<>> {
    let know = move |mut request: Request| {
        if let Some(heard) = &heard {
            request.extensions_mut().insert(heard.clone());
        }
        request
    };
    MapRequestLayer::new(know).layer(routes.clone())
}

/// The connections that are handed to a thread.
struct Handed(mpsc::UnboundedReceiver<(std::net::TcpStream, Heard)>);

impl Listener for Handed {
    type Io = TcpStream;
    type Addr = Option<Heard>;

    async fn accept(&mut self) -> (TcpStream, Option<Heard>) {
        loop {
            match self.0.recv().await {
                Some((connection, heard)) => {
                    if let Ok(connection) = TcpStream::from_std(connection) {
                        return (connection, Some(heard));
                    }
                }
                // No more will come.
                None => pending().await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<Option<Heard>> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
