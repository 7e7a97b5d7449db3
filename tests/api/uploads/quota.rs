//! Quota of uploads that are not attached yet.

use super::send;
use crate::attachments::{files, world};
use quarry::domain::administration::setting::Setting;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::attachments::{attach, upload};
use std::sync::Barrier;

const TOO_MANY: &str = "Your uploads that are not attached yet are too many (maximum is 3); attach or delete some first";
const TOO_LARGE: &str = "Your uploads that are not attached yet are too large together (maximum is 2048 bytes); attach or delete some first";

#[test]
fn number_of_unattached_uploads_is_limited_for_each_user() {
    let world = world();
    world.set(Setting::UnattachedUploadsMaxCount, "3");
    let alice = world.as_user("alice");
    let tokens: Vec<String> = (0..3)
        .map(|name| upload(&world, "alice", &name.to_string(), &name.to_string()))
        .collect();
    for format in ["json", "xml"] {
        send(&alice, &format!("/uploads.{format}?filename=x"), "x")
            .assert_status(422)
            .assert_errors(&[TOO_MANY]);
    }
    assert_eq!(files(&world).len(), 3, "what was refused has left nothing");
    upload(&world, "bob", "x", "x");
    attach(&world, "alice", Kind::Issue, 1, &tokens[0]);
    upload(&world, "alice", "x", "x");
    send(&alice, "/uploads.json?filename=x", "x").assert_status(422);
    alice
        .delete(&format!(
            "/attachments/{}.json",
            tokens[1].split_once('.').unwrap().0
        ))
        .assert_status(200);
    upload(&world, "alice", "x", "x");
    world.set(Setting::UnattachedUploadsMaxCount, "0");
    upload(&world, "alice", "x", "x");
}

#[test]
fn size_of_unattached_uploads_is_limited_for_each_user() {
    let world = world();
    world.set(Setting::AttachmentMaxSize, "1");
    world.set(Setting::UnattachedUploadsMaxSize, "2");
    let alice = world.as_user("alice");
    let token = upload(&world, "alice", "a", &"a".repeat(1000));
    upload(&world, "alice", "b", &"b".repeat(1000));
    send(&alice, "/uploads.json?filename=c", "c".repeat(49))
        .assert_status(422)
        .assert_errors(&[TOO_LARGE]);
    upload(&world, "alice", "c", &"c".repeat(48));
    send(&alice, "/uploads.json?filename=d", "")
        .assert_status(422)
        .assert_errors(&[TOO_LARGE]);
    attach(&world, "alice", Kind::Issue, 1, &token);
    upload(&world, "alice", "d", &"d".repeat(1000));
    // One file of the maximum size always fits.
    world.set(Setting::AttachmentMaxSize, "4");
    upload(&world, "bob", "e", &"e".repeat(4096));
    world.set(Setting::UnattachedUploadsMaxSize, "0");
    upload(&world, "bob", "e", &"f".repeat(4096));
}

#[test]
fn uploads_at_the_same_moment_do_not_exceed_the_quota() {
    let world = world();
    world.set(Setting::UnattachedUploadsMaxCount, "3");
    let start = Barrier::new(8);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let senders = (0..8).map(|sender: usize| {
            let start = &start;
            let world = &world;
            scope.spawn(move || {
                start.wait();
                send(
                    &world.as_user("alice"),
                    &format!("/uploads.json?filename={sender}"),
                    sender.to_string(),
                )
                .status
            })
        });
        senders
            .collect::<Vec<_>>()
            .into_iter()
            .map(|sender| sender.join().unwrap())
            .collect()
    });
    assert_eq!(
        statuses.iter().filter(|status| **status == 201).count(),
        3,
        "{statuses:?}"
    );
    assert_eq!(
        statuses.iter().filter(|status| **status == 422).count(),
        5,
        "{statuses:?}"
    );
}
