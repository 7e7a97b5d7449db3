//! Limits for clients, over real connections.

mod connections;
mod cross_site;
mod fairness;
mod held_requests;
mod logins;
mod thumbnails;
mod transfers;

use quarry::config::Limits;
use quarry::store::StoreError;
use quarry_world::World;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// A service that listens on its own port.
pub struct Server {
    pub world: World,
    pub address: SocketAddr,
    /// Shut down before the world is dropped.
    _runtime: Option<tokio::runtime::Runtime>,
}

impl Server {
    pub fn new(limits: Limits) -> Server {
        let world = World::with_limits(limits.clone());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
            .unwrap();
        let address = listener.local_addr().unwrap();
        let routes = world.router.clone();
        runtime.spawn(async move {
            quarry::http::serve(listener, "service", routes, &limits, std::future::pending()).await
        });
        Server {
            world,
            address,
            _runtime: Some(runtime),
        }
    }

    /// Returns a connection on which these bytes were sent.
    pub fn send(&self, bytes: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        stream
    }

    /// Returns the status of a request on its own connection.
    pub fn status(&self, method: &str, path: &str, login: &str, body: &str) -> u16 {
        status(&read_to_end(
            self.send(&self.request(method, path, login, body)),
        ))
    }

    /// Returns a request with `Connection: close`.
    pub fn request(&self, method: &str, path: &str, login: &str, body: &str) -> String {
        let key = self.world.key(login);
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\nHost: a\r\nX-Service-API-Key: {key}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    }
}

/// Holds the store's only writer, so that all other writes wait.
pub struct WriterLock {
    release: Sender<()>,
    thread: JoinHandle<()>,
}

impl WriterLock {
    /// Waits for running writes and then blocks the writer.
    pub fn new(world: &World) -> WriterLock {
        let (started, wait_for_start) = channel();
        let (release, wait_for_release) = channel::<()>();
        let store = Arc::clone(&world.app.store);
        let thread = spawn(move || {
            let write = store.write(move |_| -> Result<(), StoreError> {
                started.send(()).unwrap();
                // Ends when the sender is dropped, with an error.
                let _ = wait_for_release.recv();
                Ok(())
            });
            write.unwrap();
        });
        wait_for_start.recv().unwrap();
        WriterLock { release, thread }
    }

    /// Unblocks the writer.
    pub fn release(self) {
        drop(self.release);
        self.thread.join().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self._runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(10));
        }
    }
}

/// Returns everything that arrives until the connection ends in any way.
pub fn read_to_end(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset is an end, too; what arrived before is in `bytes`.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the status of a response, or 0 without one.
pub fn status(reply: &str) -> u16 {
    reply
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0)
}
