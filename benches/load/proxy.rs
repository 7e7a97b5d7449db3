//! A TCP proxy that delays what it passes on, as a network between two machines does.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::time::Duration;

/// Starts a proxy in front of the server. Returns the port of the proxy. It runs until the process
/// ends.
pub fn start(server: String, delay: Duration) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect(&server).unwrap();
            for (from, to) in [
                (client.try_clone().unwrap(), server.try_clone().unwrap()),
                (server, client),
            ] {
                std::thread::spawn(move || pass_on(from, to, delay));
            }
        }
    });
    port
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, delay: Duration) {
    to.set_nodelay(true).unwrap();
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length) = from.read(&mut buffer) {
        if length == 0 {
            break;
        }
        std::thread::sleep(delay);
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
