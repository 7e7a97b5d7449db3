//! A TCP proxy in front of a server, which delays or holds back traffic, or cuts a connection.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The text by which the message that commits a group of writes is recognized.
const COMMIT: &[u8] = b"; COMMIT";

/// The text by which the message is recognized that keeps one write of a group and begins the next.
const NEXT_WRITE: &[u8] = b"RELEASE task";

/// When the connection of a commit is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Before the server receives the commit.
    Before,
    /// After the server has answered, before the answer is forwarded.
    After,
}

#[derive(Default)]
struct State {
    server_port: AtomicU64,
    /// Milliseconds in each direction.
    delay: AtomicU64,
    is_held: AtomicBool,
    /// The commit that is cut: the next one of a connection that was sent this text.
    cut: Mutex<Option<(Cut, String)>>,
    refuses_next_write: AtomicBool,
}

impl State {
    fn is_text_of_cut(&self, bytes: &[u8]) -> bool {
        let cut = self.cut.lock().unwrap();
        cut.as_ref()
            .is_some_and(|(_, text)| contains(bytes, text.as_bytes()))
    }
}

/// A running proxy. Its threads end with the test process.
pub struct Proxy {
    state: Arc<State>,
    pub port: u16,
}

impl Proxy {
    /// Starts a proxy in front of the server on this port.
    pub fn start(server_port: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State::default());
        state
            .server_port
            .store(server_port.into(), Ordering::SeqCst);
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                accept(client, &shared);
            }
        });
        Proxy { state, port }
    }

    /// Delays each direction by this time.
    pub fn set_delay(&self, delay: Duration) {
        let delay = delay.as_millis().try_into().unwrap();
        self.state.delay.store(delay, Ordering::SeqCst);
    }

    /// Holds back all traffic, without closing connections, or stops to do so.
    pub fn hold(&self, is_held: bool) {
        self.state.is_held.store(is_held, Ordering::SeqCst);
    }

    /// Cuts the connection of the commit that follows this text. Jobs of the service commit, too.
    pub fn cut_commit_of(&self, text: &str, cut: Cut) {
        *self.state.cut.lock().unwrap() = Some((cut, text.to_owned()));
    }

    /// Makes the server refuse the message that keeps one write of a group and begins the next.
    pub fn refuse_next_write(&self) {
        self.state.refuses_next_write.store(true, Ordering::SeqCst);
    }

    /// Whether no such message has been refused yet.
    pub fn is_refusal_pending(&self) -> bool {
        self.state.refuses_next_write.load(Ordering::SeqCst)
    }

    /// Whether no commit has been cut yet.
    pub fn is_cut_pending(&self) -> bool {
        self.state.cut.lock().unwrap().is_some()
    }
}

fn accept(client: TcpStream, state: &Arc<State>) {
    let port: u16 = state.server_port.load(Ordering::SeqCst).try_into().unwrap();
    let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else {
        return;
    };
    for stream in [&client, &server] {
        stream.set_nodelay(true).unwrap();
    }
    // Whether the next answer is that of a commit whose connection is cut.
    let is_last = Arc::new(AtomicBool::new(false));
    for (from, to, is_request) in [(&client, &server, true), (&server, &client, false)] {
        let from = from.try_clone().unwrap();
        let to = to.try_clone().unwrap();
        let state = Arc::clone(state);
        let is_last = Arc::clone(&is_last);
        std::thread::spawn(move || {
            forward(&from, &to, is_request, &state, &is_last);
            let _ = from.shutdown(Shutdown::Both);
            let _ = to.shutdown(Shutdown::Both);
        });
    }
}

fn forward(
    mut from: &TcpStream,
    mut to: &TcpStream,
    is_request: bool,
    state: &State,
    is_last: &AtomicBool,
) {
    let mut buffer = vec![0; 64 * 1024];
    // Whether the commit that is cut is that of this connection.
    let mut is_written = false;
    while let Ok(length) = from.read(&mut buffer) {
        if length == 0 || (!is_request && is_last.load(Ordering::SeqCst)) {
            return;
        }
        let bytes = &mut buffer[..length];
        std::thread::sleep(Duration::from_millis(state.delay.load(Ordering::SeqCst)));
        while state.is_held.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let next_write = bytes
            .windows(NEXT_WRITE.len())
            .position(|part| part == NEXT_WRITE)
            .filter(|_| is_request && contains(bytes, b"SAVEPOINT"));
        if let Some(at) = next_write
            && state.refuses_next_write.swap(false, Ordering::SeqCst)
        {
            // A syntax error, so that nothing of the message is executed.
            bytes[at] = b'X';
        }
        if is_request {
            is_written |= state.is_text_of_cut(bytes);
            if contains(bytes, COMMIT) && std::mem::take(&mut is_written) {
                let cut = state.cut.lock().unwrap().take();
                match cut {
                    Some((Cut::Before, _)) => return,
                    Some((Cut::After, _)) => is_last.store(true, Ordering::SeqCst),
                    None => {}
                }
            }
        }
        if to.write_all(bytes).is_err() {
            return;
        }
    }
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|part| part == text)
}
