//! Timeouts for slow clients.

use super::{Server, read_to_end, status};
use quarry::config::{Limit, Limits};
use quarry_world::MANAGER;
use std::io::{Read, Write};
use std::thread::sleep;
use std::time::Duration;

fn short_timeouts() -> Limits {
    Limits::default().with(Limit::TransferTimeout, 1)
}

#[test]
fn stalled_body_returns_408() {
    let server = Server::new(short_timeouts());
    for path in ["/issues.json", "/uploads.json"] {
        let request = server
            .request("POST", path, "admin", "{\"issue\":")
            .replace("Content-Length: 9", "Content-Length: 5000");
        let request = if path == "/uploads.json" {
            request.replace("application/json", "application/octet-stream")
        } else {
            request
        };
        let reply = read_to_end(server.send(&request));
        assert_eq!(status(&reply), 408, "{path}: {reply}");
        assert!(
            reply.to_lowercase().contains("connection: close"),
            "{reply}"
        );
    }
}

#[test]
fn slow_body_returns_408() {
    let server = Server::new(short_timeouts().with(Limit::MinTransferRate, 1024 * 1024));
    let request = server
        .request("POST", "/issues.json", "admin", "")
        .replace("Content-Length: 0", "Content-Length: 5000");
    let mut stream = server.send(&request);
    let mut reader = stream.try_clone().unwrap();
    // Ends when the connection does.
    while stream.write_all(b" ").is_ok() {
        sleep(Duration::from_millis(20));
    }
    let mut reply = [0; 12];
    let read = reader.read(&mut reply).unwrap_or(0);
    assert!(read == 0 || reply.starts_with(b"HTTP/1.1 408"), "{reply:?}");
}

#[test]
fn credentials_are_checked_before_100_continue() {
    let server = Server::new(Limits::default());
    let request = "POST /issues.json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 5\r\n";
    let denied = server.send(&format!(
        "{request}X-Service-API-Key: wrong\r\nConnection: close\r\n\r\n"
    ));
    assert_eq!(status(&read_to_end(denied)), 401);
    let key = server.world.key("alice");
    let mut allowed = server.send(&format!("{request}X-Service-API-Key: {key}\r\n\r\n"));
    let mut reply = [0; 12];
    allowed.read_exact(&mut reply).unwrap();
    assert_eq!(&reply, b"HTTP/1.1 100");
}

#[test]
fn connection_of_client_that_does_not_read_is_closed() {
    let server = Server::new(short_timeouts());
    server
        .world
        .project("one")
        .member("alice", MANAGER)
        .create();
    let text = "word ".repeat(100_000);
    let issue = server.world.issue("one").description(&text).create();
    let request = server
        .request("GET", &format!("/issues/{issue}.json"), "alice", "")
        .replace("Connection: close\r\n", "");
    // Larger than the buffers of the operating system.
    let mut stream = server.send(&request.repeat(100));
    let mut reader = stream.try_clone().unwrap();
    while stream.write_all(b"\r\n").is_ok() {
        sleep(Duration::from_millis(20));
    }
    let mut received = Vec::new();
    // The service closes the connection, which may be a reset.
    let _ = reader.read_to_end(&mut received);
    assert!(received.len() < 100 * text.len(), "{}", received.len());
}

#[test]
fn slow_reader_within_the_limit_gets_the_whole_response() {
    let server = Server::new(Limits::default().with(Limit::TransferTimeout, 10));
    server
        .world
        .project("one")
        .member("alice", MANAGER)
        .create();
    let text = "word ".repeat(100_000);
    let issue = server.world.issue("one").description(&text).create();
    let path = format!("/issues/{issue}.json");
    let mut requests = server
        .request("GET", &path, "alice", "")
        .replace("Connection: close\r\n", "")
        .repeat(19);
    requests += &server.request("GET", &path, "alice", "");
    let mut stream = server.send(&requests);
    let mut received = 0;
    let mut piece = vec![0; 512 * 1024];
    loop {
        let read = stream.read(&mut piece).unwrap();
        if read == 0 {
            break;
        }
        received += read;
        sleep(Duration::from_millis(10));
    }
    assert!(received > 20 * text.len(), "{received}");
}
