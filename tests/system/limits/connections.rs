//! Limits of connections: number, idle time, framing of requests.

use super::{Server, WriterLock, read_to_end, status};
use quarry::config::{Limit, Limits};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

#[test]
fn header_timeout_closes_incomplete_and_idle_connections() {
    let server = Server::new(Limits::default().with(Limit::HeaderTimeout, 1));
    let unfinished = server.send("GET /issues.json HTTP/1.1\r\nHost: a\r\nX-A: ");
    let silent = server.send("");
    let idle = server.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_eq!(read_to_end(unfinished), "");
    assert_eq!(read_to_end(silent), "");
    assert!(read_to_end(idle).ends_with("ok\n"));
}

#[test]
fn idle_connections_do_not_block_new_ones() {
    let server = Server::new(Limits::default().with(Limit::MaxConnections, 10));
    let idle: Vec<TcpStream> = (0..30)
        .map(|_| server.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: "))
        .collect();
    for _ in 0..5 {
        assert_eq!(
            server.status("GET", "/users/current.json", "alice", ""),
            200
        );
    }
    assert_eq!(
        read_to_end(idle.into_iter().next().unwrap()),
        "",
        "the first had to go"
    );
}

#[test]
fn connection_over_the_limit_gets_503_when_none_is_idle() {
    let server = Server::new(Limits::default().with(Limit::MaxConnections, 1));
    server
        .world
        .project("one")
        .member("alice", quarry_world::MANAGER)
        .create();
    // The next write waits and keeps its connection busy.
    let lock = WriterLock::new(&server.world);
    let body = r#"{"issue":{"project_id":"one","subject":"A"}}"#;
    let (busy, refusal) = loop {
        let busy = server.send(&server.request("POST", "/issues.json", "alice", body));
        // The idle connection is closed in favour of the next one.
        sleep(Duration::from_millis(50));
        let reply = read_to_end(
            server.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
        );
        if status(&reply) == 503 {
            break (busy, reply);
        }
    };
    assert!(
        refusal.contains("Retry-After: 5")
            && refusal.ends_with(
                "{\"errors\":[\"There are too many connections; try again in a few seconds\"]}"
            )
    );
    lock.release();
    assert_eq!(status(&read_to_end(busy)), 201);
}

#[test]
fn request_with_two_content_lengths_returns_400_and_closes() {
    let server = Server::new(Limits::default());
    let chunked = "POST /issues.json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    let rest = "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    for length in ["Content-Length: 5\r\n", "content-length: 0\r\n"] {
        let reply = read_to_end(server.send(&format!("{chunked}{length}\r\n{rest}")));
        assert_eq!(status(&reply), 400, "{reply}");
        assert!(
            reply.contains("send one of them") && !reply.contains("ok\n"),
            "{reply}"
        );
    }
    let reply = read_to_end(server.send(&format!("{chunked}\r\n{rest}")));
    assert_eq!(status(&reply), 401, "{reply}");
    assert!(
        !reply.contains("ok\n"),
        "what follows a chunked body is no request: {reply}"
    );
}
