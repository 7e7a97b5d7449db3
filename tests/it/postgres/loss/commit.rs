//! The connection is lost exactly during a commit.

use super::{Cluster, Node, ROUNDS, SAFE, assert_gapless, count_of, last_change};
use crate::postgres::proxy::{Cut, Proxy};

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
    for round in 0..2 * ROUNDS {
        let cut = [Cut::Before, Cut::After][round % 2];
        let subject = format!("commit{round}");
        let body = format!(r#"{{"issue": {{"project_id": "one", "subject": "{subject}"}}}}"#);
        proxy.cut_next_commit(cut);
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
