//! The primary dies, and its standby is promoted.

use super::{Clients, Node, SAFE, count_of, report, rounds};
use quarry_world::cluster::Cluster;
use quarry_world::ports::free_port;
use quarry_world::wait::{TIMEOUT, until};
use std::time::Instant;

/// Returns the URL of a database on the first of two servers that accepts writes.
fn url_of(ports: [u16; 2], database: &str) -> String {
    format!(
        "postgres://postgres@127.0.0.1:{},127.0.0.1:{}/{database}",
        ports[0], ports[1]
    )
}

#[test]
fn promoted_synchronous_standby_has_everything() {
    let Some(mut primary) = Cluster::start(&SAFE) else {
        return;
    };
    let database = primary.create_database(None);
    let mut spare = free_port();
    let node = Node::start(&url_of([primary.port, spare], &database), &[]);
    let clients = Clients::default();
    let mut times = Vec::new();
    for round in 0..rounds() {
        let standby = primary.standby(spare);
        primary.commit_synchronously();
        clients.run(&node.service.address, || {
            clients.wait_for_creates(5);
            if round % 2 == 0 {
                primary.kill();
            } else {
                primary.stop("fast");
            }
            standby.promote();
            times.push(node.wait_until_healed());
            clients.wait_for_creates(5);
        });
        spare = primary.port;
        primary = standby;
    }
    report("promoted with everything", &times);
    clients.assert_true(&mut primary.connect(&database).unwrap());
    node.verify_index();
    node.stop();
}

#[test]
fn nothing_of_a_lost_history_is_shown() {
    let Some(mut primary) = Cluster::start(&SAFE) else {
        return;
    };
    let database = primary.create_database(None);
    let mut spare = free_port();
    let node = Node::start(&url_of([primary.port, spare], &database), &[]);
    let clients = Clients::default();
    let mut times = Vec::new();
    for round in 0..rounds() {
        let mut standby = primary.standby(spare);
        clients.run(&node.service.address, || clients.wait_for_creates(3));
        standby.catch_up_with(&primary);
        standby.stop("fast");
        let lost = write_what_is_lost(&node, round);
        primary.kill();
        standby.run();
        standby.promote();
        let start = Instant::now();
        if round % 2 == 0 {
            // Many writes before the index has noticed the loss.
            clients.run(&node.service.address, || clients.wait_for_creates(12));
        } else {
            until(TIMEOUT, "reads succeed", || {
                node.send("GET", "/issues.json?limit=1", "").status == 200
            });
        }
        times.push(start.elapsed());
        lost.assert_gone(&node, &standby, &database);
        spare = primary.port;
        primary = standby;
    }
    report("promoted without the last commits", &times);
    clients.assert_true(&mut primary.connect(&database).unwrap());
    node.wait_until_healed();
    node.verify_index();
    node.stop();
}

/// What was saved on a primary and never reached the standby.
struct Lost {
    word: String,
    issues: Vec<i64>,
    /// The path of a project.
    project: String,
}

/// Creates issues and a project, and waits until both are seen everywhere.
fn write_what_is_lost(node: &Node, round: usize) -> Lost {
    let mut lost = Lost {
        word: format!("lost{round}q"),
        issues: Vec::new(),
        project: format!("/projects/lost{round}.json"),
    };
    for number in 0..5 {
        let subject = format!("{} {number}", lost.word);
        let body = format!(r#"{{"issue": {{"project_id": "one", "subject": "{subject}"}}}}"#);
        let answer = node.send("POST", "/issues.json", &body);
        assert_eq!(answer.status, 201, "{answer:?}");
        let issue: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        lost.issues.push(issue["issue"]["id"].as_i64().unwrap());
    }
    let body = format!(r#"{{"project": {{"name": "x", "identifier": "lost{round}"}}}}"#);
    let answer = node.send("POST", "/projects.json", &body);
    assert_eq!(answer.status, 201, "{answer:?}");
    until(TIMEOUT, "the last issues are found", || {
        found(node, &lost.word) == Some(5)
    });
    let list = "/issues.json?limit=100&subject=~lost";
    for path in [list, &lost.project, "/projects.json"] {
        assert_eq!(node.send("GET", path, "").status, 200);
    }
    lost
}

impl Lost {
    fn assert_gone(&self, node: &Node, primary: &Cluster, database: &str) {
        let stored = count_of(primary, database, &format!("{} 0", self.word));
        assert_eq!(stored, 0, "the standby was to lack the last commits");
        for id in &self.issues {
            let answer = node.send("GET", &format!("/issues/{id}.json"), "");
            assert!(
                matches!(answer.status, 200 | 404) && !answer.body.contains(&self.word),
                "{answer:?}"
            );
        }
        let project = node.send("GET", &self.project, "");
        assert_eq!(project.status, 404, "{project:?}");
        let list = format!("/issues.json?subject=~{}", self.word);
        let list = node.send("GET", &list, "");
        assert!(list.body.contains(r#""total_count":0"#), "{list:?}");
        until(TIMEOUT, "the search finds nothing that is lost", || {
            found(node, &self.word) == Some(0)
        });
    }
}

/// Returns how many records a search finds; `None` while it cannot be answered.
fn found(node: &Node, word: &str) -> Option<i64> {
    let answer = node.send("GET", &format!("/search.json?q={word}"), "");
    assert!(
        answer.status == 200 || answer.is_unavailable(),
        "{answer:?}"
    );
    let body: serde_json::Value = serde_json::from_str(&answer.body).ok()?;
    body["total_count"].as_i64()
}
