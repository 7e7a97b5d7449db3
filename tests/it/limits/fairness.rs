//! What one client can take while others go on.

use super::{Server, read_to_end, status};
use crate::world::{MANAGER, World};
use quarry::config::{Limit, Limits};
use quarry::store::StoreError;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::spawn;

const ISSUE: &str = r#"{"issue":{"project_id":"one","subject":"A"}}"#;

#[test]
fn bodies_beyond_the_budget_are_refused_for_their_client_alone() {
    let server = Server::new(Limits::default().with(Limit::BodyMemory, 1024 * 1024).with(Limit::QueueTimeout, 1));
    server.world.project("one", true, &[("alice", MANAGER), ("bob", MANAGER)]);
    let long = format!(r#"{{"issue":{{"project_id":"one","subject":"A","description":"{}"}}}}"#, "x".repeat(250_000));
    let (announced, last) = long.split_at(long.len() - 1);
    let request = server.request("POST", "/issues.json", "alice", &long);
    let mut held = server.send(request.strip_suffix(&long).unwrap());
    std::io::Write::write_all(&mut held, announced.as_bytes()).unwrap();
    // The first body may not have been charged yet.
    let refused = loop {
        let reply = read_to_end(server.send(&server.request("POST", "/issues.json", "alice", &long)));
        if status(&reply) != 201 {
            break reply;
        }
    };
    assert_eq!(status(&refused), 503, "{refused}");
    assert!(refused.to_lowercase().contains("retry-after: 1"), "{refused}");
    assert_eq!(server.status("POST", "/issues.json", "alice", ISSUE), 201, "small bodies are not charged");
    assert_eq!(server.status("POST", "/issues.json", "bob", &long), 201, "others have their own share");
    std::io::Write::write_all(&mut held, last.as_bytes()).unwrap();
    assert_eq!(status(&read_to_end(held)), 201);
    assert_eq!(server.status("POST", "/issues.json", "alice", &long), 201);
}

#[test]
fn writes_beyond_the_queue_are_refused_for_their_client_alone() {
    let server = Server::new(Limits::default().with(Limit::QueueLength, 1).with(Limit::QueueTimeout, 0));
    server.world.project("one", true, &[("alice", MANAGER), ("bob", MANAGER)]);
    let ((started, wait_for_start), (end, wait_for_end)) = (channel(), channel::<()>());
    let store = Arc::clone(&server.world.app.store);
    let writer = spawn(move || {
        store.write(move |_| -> Result<(), StoreError> {
            started.send(()).unwrap();
            let _ = wait_for_end.recv();
            Ok(())
        })
    });
    wait_for_start.recv().unwrap();
    // 16 write, one waits, and three are refused while nothing is written.
    let requests: Vec<_> = (0..20).map(|_| server.send(&server.request("POST", "/issues.json", "alice", ISSUE))).collect();
    let (replies, all) = channel();
    for request in requests {
        let replies = replies.clone();
        spawn(move || replies.send(read_to_end(request)));
    }
    for _ in 0..3 {
        let refused = all.recv().unwrap();
        assert_eq!(status(&refused), 503, "{refused}");
        assert!(refused.to_lowercase().contains("retry-after: 1"), "{refused}");
    }
    assert_eq!(server.status("GET", "/issues.json", "alice", ""), 200, "reads go on");
    let other = server.send(&server.request("POST", "/issues.json", "bob", ISSUE));
    drop(end);
    writer.join().unwrap().unwrap();
    assert_eq!(status(&read_to_end(other)), 201);
    for _ in 0..17 {
        assert_eq!(status(&all.recv().unwrap()), 201);
    }
}

#[test]
fn heavy_list_is_stopped_and_then_answered_in_full() {
    let path = "/issues.json?status_id=*&subject=!~zebra&sort=author,assigned_to&limit=100&include=relations,attachments";
    let replies = [Limits::default(), Limits::default().with(Limit::HeavyRead, 1)].map(|limits| {
        let world = World::with_limits(limits);
        world.project("one", true, &[("alice", MANAGER)]);
        for _ in 0..150 {
            world.issue("one", "");
        }
        world.as_user("alice").get(path).expect(200).body
    });
    assert!(replies[0].contains("\"total_count\":150"), "{}", replies[0]);
    assert_eq!(replies[0], replies[1]);
}
