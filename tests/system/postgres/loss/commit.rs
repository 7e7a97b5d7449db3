//! The connection is lost exactly during a commit.

use super::{Node, SAFE, assert_gapless, count_of, last_change, rounds, rounds_of};
use crate::postgres::proxy::{Cut, Proxy};
use quarry_world::cluster::Cluster;

#[test]
fn answer_is_exact_when_the_connection_is_lost_during_the_commit() {
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let proxy = Proxy::start(cluster.port);
    let url = format!("postgres://postgres@127.0.0.1:{}/{database}", proxy.port);
    let node = Node::start(&url, &[]);
    let before = last_change(&cluster, &database);
    for round in 0..2 * rounds() {
        let cut = [Cut::Before, Cut::After][round % 2];
        let subject = format!("commit{round}");
        let body = format!(r#"{{"issue": {{"project_id": "one", "subject": "{subject}"}}}}"#);
        proxy.cut_commit_of(&subject, cut);
        let answer = node.send("POST", "/issues.json", &body);
        assert!(!proxy.is_cut_pending());
        let stored = count_of(&cluster, &database, &subject);
        match cut {
            Cut::Before => {
                assert!(answer.is_unavailable(), "{answer:?}");
                assert!(answer.body.contains("nothing was changed"), "{answer:?}");
                assert_eq!(stored, 0);
            }
            Cut::After => {
                assert_eq!((answer.status, stored), (201, 1), "{answer:?}");
            }
        }
    }
    assert_gapless(&cluster, &database, before);
    node.verify_index();
    node.stop();
}

#[test]
fn write_that_was_kept_is_not_undone_by_the_failure_of_the_next_one() {
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let proxy = Proxy::start(cluster.port);
    let url = format!("postgres://postgres@127.0.0.1:{}/{database}", proxy.port);
    let node = Node::start(&url, &[]);
    let before = last_change(&cluster, &database);
    for round in 0..rounds_of(3) {
        proxy.refuse_next_write();
        for attempt in 0.. {
            assert!(attempt < 100, "no two writes were grouped");
            let answers = std::thread::scope(|scope| {
                let creates: Vec<_> = (0..16)
                    .map(|n| format!("group{round}x{attempt}x{n}"))
                    .map(|subject| {
                        let node = &node;
                        scope.spawn(move || {
                            let body = format!(
                                r#"{{"issue": {{"project_id": "one", "subject": "{subject}"}}}}"#
                            );
                            (node.send("POST", "/issues.json", &body), subject)
                        })
                    })
                    .collect();
                let answers = creates.into_iter().map(|create| create.join().unwrap());
                answers.collect::<Vec<_>>()
            });
            let mut client = cluster.connect(&database).unwrap();
            let sql = "SELECT COUNT(*) FROM issues WHERE subject = $1";
            for (answer, subject) in answers {
                let stored: i64 = client.query_one(sql, &[&subject]).unwrap().get(0);
                // The syntax error itself is a 500.
                let is_exact = matches!((answer.status, stored), (201, 1) | (500.., 0));
                assert!(is_exact, "{stored} stored: {answer:?}");
            }
            if !proxy.is_refusal_pending() {
                break;
            }
        }
    }
    assert_gapless(&cluster, &database, before);
    node.verify_index();
    node.stop();
}
