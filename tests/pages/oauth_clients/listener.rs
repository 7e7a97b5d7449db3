//! The part of a native application to which the browser is sent back: a listener on a loopback
//! address.

use quarry_world::wait::TIMEOUT;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use url::Url;

/// What the browser shows at the end. The icon keeps it from asking for another one.
const DONE: &str = "<!DOCTYPE html><html lang=en><link rel=icon href='data:,'><title>Done</title><h1>You can close this window</h1>";

/// How long a connection may be idle.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// A listener that waits for one redirect.
pub struct Listener {
    /// Its redirect URI.
    pub redirect_uri: String,
    requests: Receiver<String>,
}

impl Listener {
    /// Listens on a free port.
    pub fn start() -> Listener {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let redirect_uri = format!("http://{}/callback", listener.local_addr().unwrap());
        let (sender, requests) = channel();
        // It ends with the redirect; without one it ends with the process.
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                // A browser opens connections before it needs them.
                stream.set_read_timeout(Some(IDLE_TIMEOUT)).unwrap();
                let lines = BufReader::new(&stream)
                    .lines()
                    .map_while(Result::ok)
                    .take_while(|line| !line.is_empty());
                let head: Vec<String> = lines.collect();
                let Some(path) = head
                    .first()
                    .and_then(|line| line.split(' ').nth(1))
                    .filter(|path| path.starts_with("/callback"))
                else {
                    continue;
                };
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close",
                    DONE.len()
                );
                write!(stream, "{head}\r\n\r\n{DONE}").unwrap();
                // The test may have ended.
                let _ = sender.send(path.to_owned());
                return;
            }
        });
        Listener {
            redirect_uri,
            requests,
        }
    }

    /// Waits for the redirect and returns its parameters.
    #[track_caller]
    pub fn wait(&self) -> BTreeMap<String, String> {
        let path = self
            .requests
            .recv_timeout(TIMEOUT)
            .expect("the browser is sent back to the application");
        let url = Url::parse(&self.redirect_uri).unwrap().join(&path).unwrap();
        url.query_pairs().into_owned().collect()
    }

    /// Whether nothing was sent here.
    pub fn is_unused(&self) -> bool {
        self.requests.try_recv().is_err()
    }
}
