//! The server is restarted or crashes.

use super::{Clients, Node, SAFE, assert_gapless, last_change, outages, report, rounds};
use quarry_world::cluster::Cluster;

/// Runs clients while the server goes away as `stop` does it, and comes back, in each round.
fn survive(name: &str, stop: impl Fn(&mut Cluster, usize)) {
    let Some(mut cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let node = Node::start(&cluster.url(&database), &[]);
    let before = last_change(&cluster, &database);
    let clients = Clients::default();
    let mut times = Vec::new();
    clients.run(&node.service.address, || {
        for round in 0..rounds() {
            clients.wait_for_creates(5);
            stop(&mut cluster, round);
            let read = node.send("GET", "/issues.xml", "");
            assert!(read.is_unavailable(), "{read:?}");
            cluster.run();
            times.push(node.wait_until_healed());
        }
        clients.wait_for_creates(5);
    });
    report(name, &times);
    clients.assert_true(&mut cluster.connect(&database).unwrap());
    assert_gapless(&cluster, &database, before);
    node.verify_index();
    let log = node.stop();
    assert!(
        (1..=rounds()).contains(&outages(&log)),
        "an outage is logged once: {log}"
    );
}

#[test]
fn restarted_server_loses_nothing() {
    survive("restarted", |cluster, _| cluster.stop("fast"));
}

#[test]
fn crashed_server_loses_nothing_that_was_answered() {
    survive("crashed", |cluster, round| {
        if round % 2 == 0 {
            cluster.kill();
        } else {
            cluster.stop("immediate");
        }
    });
}

#[test]
fn every_kind_of_request_is_answered_with_503_while_the_server_is_away() {
    let Some(mut cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let node = Node::start(&cluster.url(&database), &[]);
    cluster.stop("fast");
    let issue = r#"{"issue": {"project_id": "one", "subject": "x"}}"#;
    for (method, path, body) in [
        ("GET", "/issues.json", ""),
        ("GET", "/issues.xml", ""),
        ("GET", "/issues.csv", ""),
        ("GET", "/issues/1.json", ""),
        ("GET", "/search.json?q=word", ""),
        ("GET", "/projects/one", ""),
        ("GET", "/login", ""),
        ("GET", "/", ""),
        ("GET", "/users/current.json", ""),
        ("GET", "/attachments/1.json", ""),
        ("GET", "/projects/one/wiki/index.json", ""),
        ("GET", "/oauth/authorize?client_id=x", ""),
        ("POST", "/oauth/token", ""),
        ("POST", "/issues.json", issue),
        ("PUT", "/issues/1.json", issue),
        ("DELETE", "/issues/1.json", ""),
        ("POST", "/projects.json", "{}"),
    ] {
        let answer = node.send(method, path, body);
        assert!(answer.is_unavailable(), "{method} {path}: {answer:?}");
    }
    assert_eq!(node.send("GET", "/healthz", "").status, 200);
    assert_eq!(node.send("GET", "/readyz", "").status, 503);
    let xml = node.send("GET", "/issues.xml", "");
    assert!(xml.body.contains("<error>The database"), "{xml:?}");
    let json = node.send("GET", "/issues.json", "");
    assert!(
        json.body.contains(r#"{"errors":["The database"#),
        "{json:?}"
    );
    cluster.run();
    node.wait_until_healed();
    assert_eq!(outages(&node.stop()), 1);
}
