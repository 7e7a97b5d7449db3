//! Limits per client: one client cannot block the others.

use super::{Server, WriterLock, read_to_end, status};
use quarry::config::{Limit, Limits};
use quarry_world::browser::Browser;
use quarry_world::only_on_sqlite;
use quarry_world::{MANAGER, World};
use serde_json::json;
use std::io::{Read, Write};
use std::sync::mpsc::channel;
use std::thread::spawn;

const ISSUE: &str = r#"{"issue":{"project_id":"one","subject":"A"}}"#;

#[test]
fn body_budget_is_per_client() {
    let server = Server::new(
        Limits::default()
            .with(Limit::BodyMemory, 1024 * 1024)
            .with(Limit::QueueTimeout, 1),
    );
    server
        .world
        .project("one")
        .member("alice", MANAGER)
        .member("bob", MANAGER)
        .create();
    let long =
        json!({"issue": {"project_id": "one", "subject": "A", "description": "x".repeat(250_000)}})
            .to_string();
    let (announced, last) = long.split_at(long.len() - 1);
    let request = server.request("POST", "/issues.json", "alice", &long);
    let mut held = server.send(request.strip_suffix(&long).unwrap());
    held.write_all(announced.as_bytes()).unwrap();
    // The first body may not have been charged yet.
    let rejected = loop {
        let reply =
            read_to_end(server.send(&server.request("POST", "/issues.json", "alice", &long)));
        if status(&reply) != 201 {
            break reply;
        }
    };
    assert_eq!(status(&rejected), 503, "{rejected}");
    assert!(
        rejected.to_lowercase().contains("retry-after: 1"),
        "{rejected}"
    );
    assert_eq!(
        server.status("POST", "/issues.json", "alice", ISSUE),
        201,
        "small bodies are not charged"
    );
    assert_eq!(
        server.status("POST", "/issues.json", "bob", &long),
        201,
        "others have their own share"
    );
    held.write_all(last.as_bytes()).unwrap();
    assert_eq!(status(&read_to_end(held)), 201);
    assert_eq!(server.status("POST", "/issues.json", "alice", &long), 201);
}

#[test]
fn write_queue_limit_is_per_client() {
    let server = Server::new(
        Limits::default()
            .with(Limit::QueueLength, 1)
            .with(Limit::QueueTimeout, 0),
    );
    server
        .world
        .project("one")
        .member("alice", MANAGER)
        .member("bob", MANAGER)
        .create();
    let lock = WriterLock::new(&server.world);
    // 16 requests wait for the writer, one waits in the queue, and three are rejected.
    let requests: Vec<_> = (0..20)
        .map(|_| server.send(&server.request("POST", "/issues.json", "alice", ISSUE)))
        .collect();
    let (replies, all) = channel();
    for request in requests {
        let replies = replies.clone();
        spawn(move || replies.send(read_to_end(request)));
    }
    for _ in 0..3 {
        let rejected = all.recv().unwrap();
        assert_eq!(status(&rejected), 503, "{rejected}");
        assert!(
            rejected.to_lowercase().contains("retry-after: 1"),
            "{rejected}"
        );
    }
    assert_eq!(
        server.status("GET", "/issues.json", "alice", ""),
        200,
        "reads go on"
    );
    let other = server.send(&server.request("POST", "/issues.json", "bob", ISSUE));
    lock.release();
    assert_eq!(status(&read_to_end(other)), 201);
    for _ in 0..17 {
        assert_eq!(status(&all.recv().unwrap()), 201);
    }
}

#[test]
fn disabled_queue_limits_reject_nothing() {
    let server = Server::new(
        Limits::default()
            .with(Limit::QueueLength, 0)
            .with(Limit::QueueTimeout, 0),
    );
    server
        .world
        .project("one")
        .member("alice", MANAGER)
        .create();
    let lock = WriterLock::new(&server.world);
    let requests: Vec<_> = (0..300)
        .map(|_| server.send(&server.request("POST", "/issues.json", "alice", ISSUE)))
        .collect();
    lock.release();
    for request in requests {
        assert_eq!(status(&read_to_end(request)), 201);
    }
}

#[test]
fn response_budget_rejects_until_slow_readers_disconnect() {
    let server = Server::new(Limits::default().with(Limit::ReplyMemory, 1024 * 1024));
    server
        .world
        .project("one")
        .member("alice", MANAGER)
        .member("bob", MANAGER)
        .create();
    // The list is larger than the buffers of a connection.
    let long =
        json!({"issue": {"project_id": "one", "subject": "A", "description": "x".repeat(900_000)}})
            .to_string();
    for _ in 0..8 {
        assert_eq!(server.status("POST", "/issues.json", "alice", &long), 201);
    }
    let mut slow = server.send(&server.request("GET", "/issues.json", "alice", ""));
    slow.read_exact(&mut [0]).unwrap();
    let rejected = read_to_end(server.send(&server.request("GET", "/issues.json", "bob", "")));
    assert_eq!(status(&rejected), 503, "{rejected}");
    assert!(
        rejected.to_lowercase().contains("retry-after: 1"),
        "{rejected}"
    );
    assert_eq!(
        server.status("GET", "/users/current.json", "bob", ""),
        200,
        "small replies are not charged"
    );
    drop(slow);
    while server.status("GET", "/issues.json", "bob", "") == 503 {}
    assert_eq!(server.status("GET", "/issues.json", "bob", ""), 200);
}

#[test]
fn read_is_stopped_at_its_deadline_with_a_503() {
    let server = Server::new(Limits::default().with(Limit::ReadTimeout, 1));
    let world = &server.world;
    world.project("one").member("alice", MANAGER).create();
    for _ in 0..200 {
        world.issue("one").create();
    }
    let text = "abab".repeat(125_000);
    world.sql(&format!("UPDATE issues SET description = '{text}'"));
    world.project("two").member("alice", MANAGER).create();
    world.issue("two").create();
    // The filter compares every word with every text.
    let words: Vec<String> = (10..60).map(|number| format!("zebra{number}")).collect();
    let path = format!("/issues.json?description=*~{}", words.join("+"));
    let reply = read_to_end(server.send(&server.request("GET", &path, "alice", "")));
    assert_eq!(status(&reply), 503, "{reply}");
    assert!(reply.contains("ask for less"), "{reply}");
    assert_eq!(
        server.status("GET", "/issues.json?project_id=two", "alice", ""),
        200,
        "others are served"
    );
}

/// Replaces a table by a view with one row, whose columns are the expressions, and which takes
/// several seconds to read. It reads the table, because statements that read no table are not
/// compiled again when the view is dropped.
fn slow_down(world: &World, table: &str, columns: &str) {
    let count = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50000000) SELECT COUNT(*) AS n FROM n";
    world.sql(&format!(
        "ALTER TABLE {table} RENAME TO fast; CREATE VIEW {table} AS SELECT {columns} FROM ({count}), (SELECT COUNT(*) FROM fast)"
    ));
}

fn restore(world: &World, table: &str) {
    world.sql(&format!(
        "DROP VIEW {table}; ALTER TABLE fast RENAME TO {table}"
    ));
}

#[test]
fn reads_of_handlers_that_write_are_stopped_at_their_deadline() {
    only_on_sqlite!("a view takes the place of a table under prepared statements");
    let world = World::with_limits(Limits::default().with(Limit::ReadTimeout, 1));
    world.project("one").member("alice", MANAGER).create();
    let issue = world.issue("one").create();
    let path = format!("/issues/{issue}.json");
    let page = format!("/issues/{issue}");
    let browser = Browser::logged_in(&world, "alice");
    let form = browser.get(&page).assert_status(200);
    slow_down(
        &world,
        "time_entries",
        "1 AS id, 1 AS project_id, 1 AS issue_id, 1 AS user_id, 1 AS activity_id, n * 0.1 AS hours",
    );
    let reply = world
        .as_user("alice")
        .put(&path, json!({"issue": {"subject": "B"}}))
        .assert_status(503);
    assert_eq!(
        reply.errors(),
        [
            "The change is saved; only the reply to it took too long and was stopped. Do not send it again"
        ]
    );
    let again = browser
        .submit(&form, &page, &[("issue[subject]", "")])
        .assert_status(503);
    assert!(again.body.contains("This took too long"), "{again:?}");
    restore(&world, "time_entries");
    assert_eq!(
        world.as_user("alice").get(&path).assert_status(200).json()["issue"]["subject"],
        "B"
    );
}

#[test]
fn reads_before_the_handler_are_stopped_at_their_deadline() {
    only_on_sqlite!("a view takes the place of a table under prepared statements");
    let world = World::with_limits(Limits::default().with(Limit::ReadTimeout, 1));
    let browser = Browser::logged_in(&world, "alice");
    let columns = "1 AS id, n AS token_digest, 1 AS user_id, 0 AS step, 0 AS is_persistent, 0 AS created_on, 0 AS used_on, 0 AS expires_on, \
                   '' AS address, '' AS user_agent";
    slow_down(&world, "sessions", columns);
    browser.get("/my/account").assert_status(503);
    browser
        .post("/my/account", &[("user[firstname]", "A")])
        .assert_status(503);
    restore(&world, "sessions");
    browser.get("/my/account").assert_status(200);
}

#[test]
fn interrupted_list_is_retried_and_complete() {
    let path = "/issues.json?status_id=*&subject=!~zebra&sort=author,assigned_to&limit=100&include=relations,attachments";
    let replies = [
        Limits::default(),
        Limits::default().with(Limit::HeavyRead, 1),
    ]
    .map(|limits| {
        let world = World::with_limits(limits);
        world.project("one").member("alice", MANAGER).create();
        for _ in 0..150 {
            world.issue("one").create();
        }
        world.as_user("alice").get(path).assert_status(200).body
    });
    assert!(replies[0].contains("\"total_count\":150"), "{}", replies[0]);
    assert_eq!(replies[0], replies[1]);
}
