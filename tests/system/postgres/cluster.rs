//! The cluster that the tests share.

use quarry_world::cluster::Cluster;

#[test]
fn shared_cluster_copies_a_database() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let first = cluster.create_database(None);
    let mut client = cluster.connect(&first).unwrap();
    client
        .batch_execute("CREATE TABLE a AS SELECT 7 AS b")
        .unwrap();
    drop(client);
    let copy = cluster.create_database(Some(&first));
    let row = cluster
        .connect(&copy)
        .unwrap()
        .query_one("SELECT b FROM a", &[])
        .unwrap();
    assert_eq!(row.get::<_, i32>(0), 7);
    cluster.drop_database(&first);
    cluster.drop_database(&copy);
}
