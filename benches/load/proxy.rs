//! A TCP proxy that delays what it passes on, as a network between two machines does.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Starts a proxy in front of the server. Returns the port of the proxy. It runs until the process
/// ends.
pub fn start(server: String, delay: Duration) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect(&server).unwrap();
            for (from, to) in [
                (client.try_clone().unwrap(), server.try_clone().unwrap()),
                (server, client),
            ] {
                let (sender, receiver) = channel();
                thread::spawn(move || receive(from, &sender, delay));
                thread::spawn(move || pass_on(&receiver, to));
            }
        }
    });
    port
}

/// Sends what arrives to the thread that passes it on, with the time when that is due: what
/// arrives meanwhile does not wait twice.
fn receive(mut from: TcpStream, sender: &Sender<(Instant, Vec<u8>)>, delay: Duration) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let due = Instant::now() + delay;
        if sender.send((due, buffer[..length].to_vec())).is_err() {
            break;
        }
    }
}

fn pass_on(receiver: &Receiver<(Instant, Vec<u8>)>, mut to: TcpStream) {
    to.set_nodelay(true).unwrap();
    for (due, bytes) in receiver {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        if to.write_all(&bytes).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
