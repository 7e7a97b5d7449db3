//! Thumbnails cached on disk (operations 13.3)

use super::thumbnail::image_file;
use super::world;
use image::ImageFormat;
use quarry::jobs::cleanup;
use quarry::store::StoreError;
use quarry_world::World;
use quarry_world::attachments::{bytes_file, tiny_bitmap};
use serde_json::json;
use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Returns all files in the folders of thumbnails.
fn cached_files(world: &World) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(world.app.config.data.join("thumbnails"))
        .into_iter()
        .flatten();
    let entries = folders.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap());
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn path(id: i64) -> String {
    format!("/attachments/thumbnail/{id}/50")
}

fn get(world: &World, login: &str, id: i64) -> String {
    world.as_user(login).get(&path(id)).assert_status(200).body
}

#[test]
fn thumbnail_is_made_once_and_survives_a_restart() {
    let world = world();
    let id = image_file(&world, 1, "a.png", ImageFormat::Png, (60, 60));
    let first = get(&world, "carol", id);
    let files = cached_files(&world);
    assert_eq!(files.len(), 1);
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    File::options()
        .write(true)
        .open(&files[0])
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    assert_eq!(get(&world, "bob", id), first);
    let key = world.key("carol").to_owned();
    let world = world.restarted();
    assert_eq!(
        world
            .anonymous()
            .with("X-Service-API-Key", &key)
            .get(&path(id))
            .assert_status(200)
            .body,
        first
    );
    let files = cached_files(&world);
    assert_eq!(
        (
            files.len(),
            std::fs::metadata(&files[0]).unwrap().modified().unwrap()
        ),
        (1, long_ago),
        "it was not written again"
    );
}

#[test]
fn cached_thumbnail_is_sent_only_to_viewers_of_the_file() {
    let world = world();
    let open = bytes_file(&world, 1, "a.bmp", tiny_bitmap(100));
    let secret = bytes_file(&world, 2, "a.bmp", tiny_bitmap(100));
    assert_eq!(get(&world, "dave", open), get(&world, "alice", secret));
    assert_eq!(cached_files(&world).len(), 1, "both have the same content");
    world.as_user("carol").get(&path(secret)).assert_status(404);
    world.anonymous().get(&path(open)).assert_status(401);
    world
        .as_user("admin")
        .put(
            "/projects/open.json",
            json!({"project": {"is_public": false}}),
        )
        .assert_status(200);
    world.as_user("dave").get(&path(open)).assert_status(404);
    world.as_user("carol").get(&path(open)).assert_status(200);
}

#[test]
fn thumbnails_are_deleted_with_the_last_file_of_that_content() {
    let world = world();
    let files = [1, 2].map(|issue| bytes_file(&world, issue, "a.bmp", tiny_bitmap(100)));
    for size in ["50", "100", "800"] {
        world
            .as_user("alice")
            .get(&format!("/attachments/thumbnail/{}/{size}", files[1]))
            .assert_status(200);
    }
    assert_eq!(cached_files(&world).len(), 3);
    world
        .as_user("alice")
        .delete(&format!("/attachments/{}.json", files[0]))
        .assert_status(200);
    assert_eq!(cached_files(&world).len(), 3);
    world
        .as_user("alice")
        .delete(&format!("/attachments/{}.json", files[1]))
        .assert_status(200);
    assert_eq!(cached_files(&world), Vec::<PathBuf>::new());
    world
        .as_user("alice")
        .get(&path(files[1]))
        .assert_status(404);
}

#[test]
fn thumbnails_are_deleted_with_issues_and_projects() {
    let world = world();
    let of_issue = bytes_file(&world, 1, "a.bmp", tiny_bitmap(100));
    let of_project = bytes_file(&world, 2, "b.bmp", tiny_bitmap(101));
    for id in [of_issue, of_project] {
        get(&world, "alice", id);
    }
    world
        .as_user("admin")
        .delete("/issues/1.json")
        .assert_status(200);
    cleanup::run_once(&world.app).unwrap();
    assert_eq!(cached_files(&world).len(), 1);
    world
        .as_user("admin")
        .delete("/projects/secret.json")
        .assert_status(200);
    assert_eq!(cached_files(&world), Vec::<PathBuf>::new());
}

#[test]
fn cleanup_deletes_thumbnails_without_image_and_old_temporary_files() {
    let world = world();
    let id = bytes_file(&world, 1, "a.bmp", tiny_bitmap(100));
    get(&world, "alice", id);
    let folder = cached_files(&world)[0].parent().unwrap().to_owned();
    let names = [
        format!("{}-50", "ab".repeat(32)),
        "arriving-1-1".to_owned(),
        "arriving-1-2".to_owned(),
        "notes.txt".to_owned(),
    ];
    for name in &names {
        std::fs::write(folder.join(name), "left over").unwrap();
    }
    std::fs::create_dir(folder.join(format!("{}-100", "ab".repeat(32)))).unwrap();
    // The fixed clock is earlier than the times of the files that were just written.
    let hours_ago = SystemTime::from(world.app.clock.now()) - Duration::from_secs(2 * 3600);
    File::options()
        .write(true)
        .open(folder.join(&names[1]))
        .unwrap()
        .set_modified(hours_ago)
        .unwrap();
    cleanup::run_once(&world.app).unwrap();
    let exists = names.map(|name| folder.join(name).exists());
    assert_eq!(
        exists,
        [false, false, true, true],
        "what is still written to, or is not ours, stays"
    );
    assert_eq!(cached_files(&world).len(), 4);
}

#[test]
fn damaged_thumbnails_are_made_again() {
    let world = world();
    let id = image_file(&world, 1, "a.png", ImageFormat::Png, (60, 60));
    let first = get(&world, "carol", id);
    let file = cached_files(&world).remove(0);
    let intact = std::fs::read(&file).unwrap();
    let mut altered = intact.clone();
    altered[20] ^= 1;
    for damaged in [
        &[],
        &intact[..10],
        &intact[..intact.len() - 1],
        &altered[..],
        &[0; 100],
    ] {
        std::fs::write(&file, damaged).unwrap();
        assert_eq!(get(&world, "carol", id), first);
        assert!(std::fs::read(&file).unwrap() == intact, "it is repaired");
    }
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_eq!(get(&world, "carol", id), first, "a folder is in its place");
    let folder = world.app.config.data.join("thumbnails");
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "").unwrap();
    assert_eq!(get(&world, "carol", id), first, "nothing can be cached");
    std::fs::remove_file(&folder).unwrap();
    assert_eq!(get(&world, "carol", id), first);
    assert_eq!(cached_files(&world).len(), 1);
}

#[test]
fn thumbnail_of_a_concurrently_deleted_image_is_not_cached() {
    use quarry::domain::content::thumbnail::ThumbnailSize;
    use quarry::store::files::thumbnails;
    let world = world();
    let missing = "ab".repeat(32);
    let kept_one: Result<(), StoreError> =
        thumbnails::insert(&world.app.store, &missing, ThumbnailSize::MAX, b"PNG");
    kept_one.unwrap();
    assert_eq!(cached_files(&world), Vec::<PathBuf>::new());
    assert_eq!(
        thumbnails::find(&world.app.store, &missing, ThumbnailSize::MAX),
        None
    );
}
