//! Fewer connections than clients, statements that take too long, and a lock that is never
//! released.

use super::{Node, SAFE, send};
use quarry_world::cluster::Cluster;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const CLIENTS: usize = 50;
const REQUESTS: usize = 6;

#[test]
fn fifty_clients_share_few_connections() {
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    for connections in ["3", "4"] {
        let database = cluster.create_database(None);
        let node = Node::start(
            &cluster.url(&database),
            &[("QUARRY_STORE_CONNECTIONS", connections)],
        );
        let unavailable = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        let is_over = AtomicUsize::new(0);
        std::thread::scope(|threads| {
            for client in 0..CLIENTS {
                let node = &node;
                let unavailable = &unavailable;
                let is_over = &is_over;
                threads.spawn(move || {
                    for request in 0..REQUESTS {
                        let issue = format!(
                            r#"{{"issue": {{"project_id": "one", "subject": "c{client}r{request}"}}}}"#
                        );
                        let (method, path, body, success) = match request % 4 {
                            0 => ("POST", "/issues.json", issue.as_str(), 201),
                            1 => ("GET", "/projects/one/issues", "", 200),
                            2 => ("GET", "/search?q=c1r0", "", 200),
                            _ => ("GET", "/issues/1", "", 200),
                        };
                        let answer = send(&node.service.address, method, path, body).unwrap();
                        if answer.is_unavailable() {
                            unavailable.fetch_add(1, Ordering::SeqCst);
                        } else {
                            assert_eq!(answer.status, success, "{path}: {answer:?}");
                        }
                    }
                    is_over.fetch_add(1, Ordering::SeqCst);
                });
            }
            let mut client = cluster.connect("postgres").unwrap();
            let sql = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = $1";
            while is_over.load(Ordering::SeqCst) < CLIENTS {
                let open: i64 = client.query_one(sql, &[&database]).unwrap().get(0);
                most.fetch_max(usize::try_from(open).unwrap(), Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        println!(
            "{connections} connections: {} of {} answers are 503, at most {} are open",
            unavailable.load(Ordering::SeqCst),
            CLIENTS * REQUESTS,
            most.load(Ordering::SeqCst)
        );
        assert!(unavailable.load(Ordering::SeqCst) < CLIENTS * REQUESTS / 2);
        assert!(most.load(Ordering::SeqCst) <= connections.parse().unwrap());
        node.wait_until_healed();
        node.stop();
    }
}

#[test]
fn server_without_free_connections_is_unavailable() {
    let settings = [
        "fsync=off",
        "max_connections=10",
        "superuser_reserved_connections=0",
    ];
    let Some(cluster) = Cluster::start(&settings) else {
        return;
    };
    let database = cluster.create_database(None);
    let node = Node::start(&cluster.url(&database), &[]);
    let sql = format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'"
    );
    // Other programs take every connection.
    let mut others = vec![cluster.connect("postgres").unwrap()];
    while !node.send("GET", "/issues.json", "").is_unavailable() {
        others[0].batch_execute(&sql).unwrap();
        while let Some(client) = cluster.connect("postgres") {
            others.push(client);
        }
    }
    drop(others);
    node.wait_until_healed();
    node.stop();
}

#[test]
fn statement_that_takes_too_long_is_stopped() {
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let node = Node::start(&cluster.url(&database), &[("QUARRY_READ_TIMEOUT", "1")]);
    let mut blocker = cluster.connect(&database).unwrap();
    for _ in 0..super::rounds() {
        let mut transaction = blocker.transaction().unwrap();
        transaction
            .batch_execute("LOCK TABLE issues IN ACCESS EXCLUSIVE MODE")
            .unwrap();
        let answer = node.send("GET", "/issues.json?subject=~x", "");
        assert!(answer.is_unavailable(), "{answer:?}");
        transaction.rollback().unwrap();
        let answer = node.send("GET", "/issues.json?subject=~x", "");
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    let mut client = cluster.connect("postgres").unwrap();
    let sql =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'";
    let waiting: i64 = client.query_one(sql, &[&database]).unwrap().get(0);
    assert_eq!(waiting, 0, "stopped statements do not go on in the server");
    node.wait_until_healed();
    node.stop();
}

#[test]
fn write_fails_while_the_writer_lock_is_held_and_succeeds_afterwards() {
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let node = Node::start(&cluster.url(&database), &[]);
    let mut stopped = cluster.connect(&database).unwrap();
    // The key of the writer lock is "quarry" in ASCII.
    stopped
        .batch_execute("BEGIN; SELECT pg_advisory_xact_lock(124748960002681)")
        .unwrap();
    let body = r#"{"issue": {"project_id": "one", "subject": "blocked"}}"#;
    let answer = node.send("POST", "/issues.json", body);
    assert!(answer.is_unavailable(), "{answer:?}");
    assert_eq!(node.send("GET", "/issues.json", "").status, 200);
    stopped.batch_execute("ROLLBACK").unwrap();
    assert_eq!(node.send("POST", "/issues.json", body).status, 201);
    node.stop();
}
