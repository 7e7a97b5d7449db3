//! How many connections there may be, how long they may idle, and how requests are framed.

use super::{Server, read_to_end, status};
use quarry::config::{Limit, Limits};
use quarry::store::StoreError;
use std::net::TcpStream;
use std::sync::mpsc::channel;
use std::thread::{sleep, spawn};
use std::time::Duration;

#[test]
fn unfinished_head_and_idle_connection_are_closed_after_the_header_timeout() {
    let server = Server::new(Limits::default().with(Limit::HeaderTimeout, 1));
    let unfinished = server.send("GET /issues.json HTTP/1.1\r\nHost: a\r\nX-A: ");
    let silent = server.send("");
    let idle = server.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_eq!(read_to_end(unfinished), "");
    assert_eq!(read_to_end(silent), "");
    assert!(read_to_end(idle).ends_with("ok\n"));
}

#[test]
fn idle_connections_do_not_shut_others_out() {
    let server = Server::new(Limits::default().with(Limit::MaxConnections, 10));
    let idle: Vec<TcpStream> = (0..30).map(|_| server.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: ")).collect();
    for _ in 0..5 {
        assert_eq!(server.status("GET", "/users/current.json", "alice", ""), 200);
    }
    assert_eq!(read_to_end(idle.into_iter().next().unwrap()), "", "the first had to go");
}

#[test]
fn connection_beyond_the_limit_gets_a_503_when_no_other_is_idle() {
    let server = Server::new(Limits::default().with(Limit::MaxConnections, 1));
    server.world.project("one", true, &[("alice", crate::world::MANAGER)]);
    let ((started, wait_for_start), (end, wait_for_end)) = (channel(), channel::<()>());
    let store = std::sync::Arc::clone(&server.world.app.store);
    // Nothing else is written until this ends, so that the next write keeps its connection busy.
    let writer = spawn(move || {
        store.write(move |_| -> Result<(), StoreError> {
            started.send(()).unwrap();
            let _ = wait_for_end.recv();
            Ok(())
        })
    });
    wait_for_start.recv().unwrap();
    let body = r#"{"issue":{"project_id":"one","subject":"A"}}"#;
    let (busy, refusal) = loop {
        let busy = server.send(&server.request("POST", "/issues.json", "alice", body));
        // Before it is worked on, it is closed for the next connection.
        sleep(Duration::from_millis(50));
        let reply = read_to_end(server.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        if status(&reply) == 503 {
            break (busy, reply);
        }
    };
    assert!(
        refusal.contains("Retry-After: 5")
            && refusal.ends_with("{\"errors\":[\"There are too many connections; try again in a few seconds\"]}")
    );
    drop(end);
    writer.join().unwrap().unwrap();
    assert_eq!(status(&read_to_end(busy)), 201);
}

#[test]
fn request_with_two_lengths_is_a_400_and_ends_the_connection() {
    let server = Server::new(Limits::default());
    let chunked = "POST /issues.json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    let rest = "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    for length in ["Content-Length: 5\r\n", "content-length: 0\r\n"] {
        let reply = read_to_end(server.send(&format!("{chunked}{length}\r\n{rest}")));
        assert_eq!(status(&reply), 400, "{reply}");
        assert!(reply.contains("send one of them") && !reply.contains("ok\n"), "{reply}");
    }
    let reply = read_to_end(server.send(&format!("{chunked}\r\n{rest}")));
    assert_eq!(status(&reply), 401, "{reply}");
    assert!(!reply.contains("ok\n"), "what follows a chunked body is no request: {reply}");
}
