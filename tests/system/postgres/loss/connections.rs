//! An administrator of the server ends the connections.

use super::{Clients, Node, SAFE, assert_gapless, last_change, report, rounds, rounds_of};
use quarry_world::cluster::Cluster;

#[test]
fn terminated_connections_are_replaced() {
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let node = Node::start(&cluster.url(&database), &[]);
    let before = last_change(&cluster, &database);
    let clients = Clients::default();
    let mut times = Vec::new();
    clients.run(&node.service.address, || {
        for _ in 0..rounds() {
            clients.wait_for_creates(5);
            let sql = format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'"
            );
            cluster.execute("postgres", &sql);
            times.push(node.wait_until_healed());
        }
        clients.wait_for_creates(5);
    });
    report("connections terminated", &times);
    clients.assert_true(&mut cluster.connect(&database).unwrap());
    assert_gapless(&cluster, &database, before);
    node.verify_index();
    node.stop();
}

#[test]
fn cancelled_statements_leave_their_connections_in_order() {
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let node = Node::start(&cluster.url(&database), &[]);
    let clients = Clients::default();
    clients.run(&node.service.address, || {
        for _ in 0..rounds_of(200) {
            let sql = format!(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'"
            );
            cluster.execute("postgres", &sql);
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        clients.wait_for_creates(5);
    });
    node.wait_until_healed();
    node.verify_index();
    // Tells why, when an answer is wrong.
    println!("{}", node.stop());
    clients.assert_true(&mut cluster.connect(&database).unwrap());
}
