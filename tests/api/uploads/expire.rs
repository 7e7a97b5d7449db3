//! Expiry of uploads and of unreferenced contents.

use super::{is_empty, send};
use crate::attachments::{files, world};
use quarry::domain::content::attachment::Attachment;
use quarry::domain::index_feed::kind::Kind;
use quarry::jobs::cleanup;
use quarry::store::content::attachments;
use quarry_world::attachments::{attach, upload};
use quarry_world::only_on_sqlite;
use quarry_world::{World, user};
use std::time::{Duration, SystemTime};

/// Inserts an old upload whose content exists.
fn old(world: &World, content: &str, at: &'static str) -> i64 {
    let token = upload(world, "alice", "recent.txt", content);
    let sha256 = token.split_once('.').unwrap().1.to_owned();
    world.write(move |db| {
        let created_on = at.parse().unwrap();
        let file = Attachment {
            filename: "old.txt".to_owned(),
            content_type: "text/plain".to_owned(),
            filesize: 1,
            digest: sha256.clone(),
            content: Some(sha256),
            author: user("alice"),
            created_on,
            ..Attachment::default()
        };
        attachments::insert(db, &file).map(|id| id.0)
    })
}

#[test]
fn upload_is_removed_after_a_day() {
    let world = world();
    // The clock is at 2026-11-20, noon.
    let long_ago = old(&world, "a", "2026-11-19T11:59:59Z");
    let lately = old(&world, "b", "2026-11-19T12:00:01Z");
    let hung = old(&world, "c", "2026-01-01T00:00:00Z");
    let token = {
        let token = world
            .app
            .store
            .read::<_, quarry::store::StoreError>(|db| attachments::find(db, hung.into()))
            .unwrap()
            .unwrap()
            .token();
        attach(&world, "alice", Kind::Issue, 1, &token);
        token
    };
    assert_eq!(token.split_once('.').unwrap().0, hung.to_string());
    assert_eq!(
        cleanup::run_once(&world.app).unwrap(),
        (1, 0),
        "its content belongs to a recent one too"
    );
    let alice = world.as_user("alice");
    alice
        .get(&format!("/attachments/{long_ago}.json"))
        .assert_status(404);
    alice
        .get(&format!("/attachments/{lately}.json"))
        .assert_status(200);
    alice
        .get(&format!("/attachments/{hung}.json"))
        .assert_status(200);
    assert_eq!(
        alice.get("/attachments/download/1").assert_status(200).body,
        "a"
    );
}

#[test]
fn contents_without_attachment_are_removed() {
    only_on_sqlite!("files of the data folder");
    let world = World::new();
    let alone = old(&world, "x", "2026-11-01T00:00:00Z");
    world
        .as_user("alice")
        .delete(&format!("/attachments/{}.json", alone - 1))
        .assert_status(200);
    assert_eq!(files(&world).len(), 1);
    assert_eq!(cleanup::run_once(&world.app).unwrap(), (1, 1));
    assert!(is_empty(&world));

    let folder = world.app.config.data.join("files");
    let digest = "ab".repeat(32);
    std::fs::create_dir_all(folder.join("ab")).unwrap();
    for name in [
        format!("ab/{digest}"),
        "ab/notes.txt".to_owned(),
        "arriving-1".to_owned(),
        "arriving-2".to_owned(),
    ] {
        std::fs::write(folder.join(name), "left over").unwrap();
    }
    // The fixed clock is earlier than the times of the files that were just written.
    let hours_ago =
        |hours: u64| SystemTime::from(world.app.clock.now()) - Duration::from_secs(hours * 3600);
    std::fs::File::options()
        .write(true)
        .open(folder.join("arriving-1"))
        .unwrap()
        .set_modified(hours_ago(2))
        .unwrap();
    assert_eq!(cleanup::run_once(&world.app).unwrap(), (0, 2));
    assert_eq!(
        files(&world),
        ["ab/notes.txt", "arriving-2"],
        "what still grows, or is not ours, stays"
    );
    send(&world.as_user("alice"), "/uploads.json", "y").assert_status(201);
    assert_eq!(cleanup::run_once(&world.app).unwrap(), (0, 0));
}
