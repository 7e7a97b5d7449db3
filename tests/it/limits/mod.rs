//! What clients may take of the service, over real connections.

mod connections;
mod cross_site;
mod fairness;
mod logins;
mod transfers;

use crate::world::World;
use quarry::config::Limits;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A service that listens on a port of its own.
pub struct Server {
    pub world: World,
    pub address: SocketAddr,
    /// Ends with the runtime, before the world.
    _runtime: Option<tokio::runtime::Runtime>,
}

impl Server {
    pub fn new(limits: Limits) -> Server {
        let world = World::with_limits(limits.clone());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let (address, routes) = (listener.local_addr().unwrap(), world.router.clone());
        runtime.spawn(async move { quarry::http::serve(listener, routes, &limits, std::future::pending()).await });
        Server { world, address, _runtime: Some(runtime) }
    }

    /// A connection that has sent these bytes.
    pub fn send(&self, bytes: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        stream
    }

    /// The status of a request on a connection of its own.
    pub fn status(&self, method: &str, path: &str, login: &str, body: &str) -> u16 {
        status(&read_to_end(self.send(&self.request(method, path, login, body))))
    }

    /// A request that ends its connection.
    pub fn request(&self, method: &str, path: &str, login: &str, body: &str) -> String {
        let (key, length) = (self.world.key(login), body.len());
        format!(
            "{method} {path} HTTP/1.1\r\nHost: a\r\nX-Service-API-Key: {key}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self._runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(10));
        }
    }
}

/// What comes until the connection ends, in whatever way.
pub fn read_to_end(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The status of a reply; 0 when there is none.
pub fn status(reply: &str) -> u16 {
    reply.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}
