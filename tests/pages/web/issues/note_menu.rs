//! What the menu of a note does, and deleting files.

use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::json;

fn world() -> World {
    let world = World::with_projects();
    world.issue("open").create();
    for (login, note) in [("bob", "by bob"), ("alice", "by alice")] {
        world
            .as_user(login)
            .put(
                "/issues/1.json",
                json!({"issue": {"notes": note, "done_ratio": 10}}),
            )
            .assert_status(200);
    }
    world
}

#[test]
fn menu_offers_what_the_viewer_may_do() {
    let world = world();
    let page = Browser::logged_in(&world, "alice").get("/issues/1");
    for expected in [
        "/issues/1?quote=1#update",
        "/journals/1/edit",
        "/journals/1/privacy",
        "/journals/1/delete",
    ] {
        assert!(page.body.contains(expected), "{expected}: {}", page.body);
    }
    let page = Browser::logged_in(&world, "carol").get("/issues/1");
    assert!(page.body.contains("/issues/1?quote=1#update"));
    for path in ["/edit", "/privacy", "/delete"] {
        let path = format!("/journals/1{path}");
        assert!(!page.body.contains(&path), "{path}: {}", page.body);
    }
    let page = Browser::new(&world).get("/issues/1");
    assert!(!page.body.contains("?quote="), "{}", page.body);
}

#[test]
fn note_is_made_private_and_public_again() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let carol = Browser::logged_in(&world, "carol");
    let page = alice.get("/issues/1").assert_status(200);
    let saved = alice
        .submit(&page, "/journals/1/privacy", &[("do", "private")])
        .assert_status(303);
    assert_eq!(saved.location(), "/issues/1#note-1");
    assert!(!carol.get("/issues/1").body.contains("by bob"));
    alice
        .get("/issues/1")
        .assert_contains("Private note")
        .assert_contains("Make public");
    let seen = carol.get("/issues/1");
    carol
        .submit(&seen, "/journals/1/privacy", &[("do", "public")])
        .assert_status(404);
    carol
        .submit(&seen, "/journals/2/privacy", &[("do", "private")])
        .assert_status(403);
    alice
        .submit(&page, "/journals/1/privacy", &[("do", "public")])
        .assert_status(303);
    carol.get("/issues/1").assert_contains("by bob");
    for body in [
        &[][..],
        &[("do", "x")],
        &[("do", "private"), ("do", "public")],
    ] {
        let answer = alice.submit(&page, "/journals/1/privacy", body);
        assert!(answer.status < 500, "{body:?}: {answer:?}");
    }
    alice
        .post("/journals/1/privacy", &[("do", "private")])
        .assert_status(403);
}

#[test]
fn note_is_deleted_after_a_confirmation_and_its_changes_stay() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice
        .get("/journals/1/delete")
        .assert_status(200)
        .assert_contains("by bob")
        .assert_contains("the changes made with it stay");
    alice
        .submit(&page, "/journals/1/delete", &[])
        .assert_status(303);
    let page = alice.get("/issues/1").assert_contains("set <b>% Done</b>");
    assert!(!page.body.contains("by bob"));
    let carol = Browser::logged_in(&world, "carol");
    let seen = carol.get("/issues/1");
    carol.get("/journals/2/delete").assert_status(403);
    carol
        .submit(&seen, "/journals/2/delete", &[])
        .assert_status(403);
    carol.get("/journals/99/delete").assert_status(404);
    alice.post("/journals/2/delete", &[]).assert_status(403);
}

#[test]
fn file_is_deleted_by_those_who_edit_the_issue() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/issues/1").assert_status(200);
    let files: [(&str, &[u8]); 1] = [("a.txt", b"one")];
    bob.submit_files(&page, "/issues/1", &[], &files)
        .assert_status(303);
    let carol = Browser::logged_in(&world, "carol");
    let seen = carol.get("/issues/1").assert_contains("a.txt");
    assert!(!seen.body.contains("/attachments/1/delete"));
    let path = "/issues/1/attachments/1/delete";
    carol.get(path).assert_status(403);
    carol.submit(&seen, path, &[]).assert_status(403);
    bob.get("/issues/1").assert_contains(path);
    bob.get(path).assert_status(200).assert_contains("a.txt");
    let other = world.issue("open").create();
    for wrong in [
        format!("/issues/{other}/attachments/1/delete"),
        "/issues/1/attachments/99/delete".to_owned(),
        "/issues/1/attachments/x/delete".to_owned(),
    ] {
        bob.get(&wrong).assert_status(404);
        bob.submit(&page, &wrong, &[]).assert_status(404);
    }
    bob.post(path, &[]).assert_status(403);
    bob.submit(&page, path, &[]).assert_status(303);
    bob.get("/issues/1").assert_contains("removed <b>file</b>");
    bob.get("/attachments/1").assert_status(404);
}
