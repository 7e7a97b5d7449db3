//! The server is far away, or silent.

use super::{Clients, Node, SAFE};
use crate::postgres::proxy::Proxy;
use quarry_world::cluster::Cluster;
use std::time::{Duration, Instant};

#[test]
fn distant_server_breaks_nothing() {
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let proxy = Proxy::start(cluster.port);
    let url = format!("postgres://postgres@127.0.0.1:{}/{database}", proxy.port);
    let node = Node::start(&url, &[]);
    proxy.set_delay(Duration::from_millis(20));
    let clients = Clients::default();
    clients.run(&node.service.address, || clients.wait_for_creates(30));
    clients.assert_true(&mut cluster.connect(&database).unwrap());
    node.verify_index();
    node.stop();
}

#[test]
fn node_times_out_on_a_silent_server_and_recovers() {
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let proxy = Proxy::start(cluster.port);
    let url = format!("postgres://postgres@127.0.0.1:{}/{database}", proxy.port);
    let node = Node::start(&url, &[("QUARRY_READ_TIMEOUT", "3")]);
    let clients = Clients::default();
    clients.run(&node.service.address, || {
        clients.wait_for_creates(5);
        proxy.hold(true);
        for path in ["/issues.json", "/projects/one", "/readyz"] {
            let start = Instant::now();
            let answer = node.send("GET", path, "");
            assert_eq!(answer.status, 503, "{answer:?}");
            // Three seconds, and one to cancel.
            let elapsed = start.elapsed();
            assert!(elapsed < Duration::from_secs(7), "{path}: {elapsed:?}");
        }
        proxy.hold(false);
        println!("answers again after {:?}", node.wait_until_healed());
        clients.wait_for_creates(5);
    });
    clients.assert_true(&mut cluster.connect(&database).unwrap());
    node.verify_index();
    node.stop();
}

#[test]
fn silent_host_does_not_hide_the_next_one() {
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let database = cluster.create_database(None);
    let proxy = Proxy::start(cluster.port);
    proxy.hold(true);
    let url = format!(
        "postgres://postgres@127.0.0.1:{},127.0.0.1:{}/{database}",
        proxy.port, cluster.port
    );
    let node = Node::start(&url, &[]);
    node.wait_until_healed();
    node.stop();
}
