//! All nodes need the same secret.

use super::Nodes;
use quarry::store::{Store, StoreError, StoreLocation};
use quarry_world::data_folder::KEY;

/// Returns the error of a node that refuses to start in this folder.
fn refusal(nodes: &Nodes, folder: &std::path::Path) -> String {
    let output = nodes
        .serve(folder)
        .args(["--listen", "127.0.0.1:0"])
        .output()
        .unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn node_without_the_secret_of_the_others_is_refused() {
    let Some((nodes, _first, _second)) = Nodes::start_two() else {
        return;
    };
    let empty = tempfile::tempdir().unwrap();
    let message = refusal(&nodes, empty.path());
    assert!(
        message.contains("copy the file from another node"),
        "{message}"
    );
    let secret = empty.path().join("secret");
    assert!(!secret.exists(), "a new secret would hide the problem");
    std::fs::write(&secret, hex::encode([8u8; 32])).unwrap();
    let message = refusal(&nodes, empty.path());
    assert!(
        message.contains("is not the secret of the nodes"),
        "{message}"
    );
    std::fs::copy(nodes.folder(0).join("secret"), &secret).unwrap();
    let third = quarry_world::process::Service::start(&mut nodes.serve(empty.path()));
    let key = format!("X-Service-API-Key: {KEY}");
    assert_eq!(third.get("/users/current.json", &[&key]).0, 200);
}

#[test]
fn first_of_two_nodes_with_empty_folders_creates_the_secret() {
    let Some(nodes) = Nodes::empty() else {
        return;
    };
    for index in 0..2 {
        std::fs::remove_file(nodes.folder(index).join("secret")).unwrap();
    }
    let started: Vec<bool> = std::thread::scope(|scope| {
        let starts = [0, 1].map(|index| {
            let location = StoreLocation {
                folder: nodes.folder(index).to_owned(),
                ..nodes.location()
            };
            scope.spawn(move || Store::open(location).map(|store| store.close()).is_ok())
        });
        starts
            .map(|start| start.join().unwrap())
            .into_iter()
            .collect()
    });
    assert_eq!(started.iter().filter(|is_started| **is_started).count(), 1);
    let secrets = [0, 1].map(|index| nodes.folder(index).join("secret").exists());
    assert_eq!(secrets.to_vec(), started);
}

#[test]
fn lost_secret_is_reset_for_all_nodes_once_they_are_stopped() {
    let Some((nodes, first, second)) = Nodes::start_two() else {
        return;
    };
    let secret = nodes.folder(0).join("secret");
    std::fs::remove_file(&secret).unwrap();
    let refused = nodes.run(0, &["secret", "reset"]);
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(
        !refused.status.success() && message.contains("stop all nodes first"),
        "{message}"
    );
    assert!(!secret.exists());
    first.stop();
    second.stop();
    let message = quarry_world::process::message(&nodes.run(0, &["secret", "reset"]));
    assert!(
        message.contains("copy it to the data folder of every node"),
        "{message}"
    );
    let message = refusal(&nodes, nodes.folder(1));
    assert!(
        message.contains("is not the secret of the nodes"),
        "{message}"
    );
    std::fs::copy(&secret, nodes.folder(1).join("secret")).unwrap();
    let second = nodes.start(1);
    assert_eq!(
        second.status(KEY, "/users/current.json"),
        401,
        "the old keys are lost"
    );
}

#[test]
fn node_with_the_former_secret_answers_nothing_after_a_reset() {
    let Some(nodes) = Nodes::empty() else {
        return;
    };
    // A node that does not report, as one that is paused.
    let paused = Store::open(nodes.location()).unwrap();
    let read = || paused.read(|_| Ok::<_, StoreError>(()));
    read().unwrap();
    let secret = nodes.folder(1).join("secret");
    std::fs::remove_file(&secret).unwrap();
    quarry_world::process::message(&nodes.run(1, &["secret", "reset"]));
    let error = read().unwrap_err();
    assert!(
        matches!(error, StoreError::OtherSecret { .. }) && error.is_unavailable(),
        "{error}"
    );
    let written = paused.write(|_| Ok::<_, StoreError>(()));
    assert!(matches!(written, Err(StoreError::OtherSecret { .. })));
}
