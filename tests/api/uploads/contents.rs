//! Equal contents share one file as long as an attachment refers to it.

use super::{is_empty, send};
use crate::attachments::files;
use quarry_world::World;

#[test]
fn equal_concurrent_uploads_share_one_file() {
    let world = World::new();
    let content = vec![b'q'; 700_000];
    std::thread::scope(|threads| {
        for n in 0..8 {
            let world = &world;
            let content = content.clone();
            threads.spawn(move || {
                let response = send(
                    &world.as_user("alice"),
                    &format!("/uploads.json?filename=n{n}"),
                    content,
                )
                .assert_status(201);
                assert!(response.json()["upload"]["token"].as_str().unwrap().len() > 64);
            });
        }
    });
    assert_eq!(files(&world).len(), 1);
    let alice = world.as_user("alice");
    for id in 1..=8 {
        assert_eq!(
            alice
                .get(&format!("/attachments/download/{id}"))
                .assert_status(200)
                .body
                .len(),
            700_000,
            "{id}"
        );
        alice
            .delete(&format!("/attachments/{id}.json"))
            .assert_status(200);
        assert_eq!(is_empty(&world), id == 8);
    }
}

#[test]
fn shared_content_survives_deletion_of_other_uploads() {
    let world = World::new();
    let kept: Vec<i64> = std::thread::scope(|threads| {
        let workers: Vec<_> = (0..4)
            .map(|_| {
                let world = &world;
                threads.spawn(move || {
                    let alice = world.as_user("alice");
                    let mut last = 0;
                    for round in 0..12 {
                        let id = send(&alice, "/uploads.json?filename=a", "the same")
                            .assert_status(201)
                            .integer("/upload/id");
                        assert_eq!(
                            alice
                                .get(&format!("/attachments/download/{id}"))
                                .assert_status(200)
                                .body,
                            "the same"
                        );
                        if round < 11 {
                            alice
                                .delete(&format!("/attachments/{id}.json"))
                                .assert_status(200);
                        }
                        last = id;
                    }
                    last
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .collect()
    });
    for id in &kept {
        assert_eq!(
            world
                .as_user("alice")
                .get(&format!("/attachments/download/{id}"))
                .assert_status(200)
                .body,
            "the same"
        );
    }
    assert_eq!(files(&world).len(), 1);
    for id in &kept {
        world
            .as_user("alice")
            .delete(&format!("/attachments/{id}.json"))
            .assert_status(200);
    }
    assert!(is_empty(&world));
}
