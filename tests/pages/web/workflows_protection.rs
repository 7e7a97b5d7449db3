//! The workflow: forms that are stale or hostile, and who may not send them.

use super::workflows::{BUG, check, path, workflow};
use quarry_world::browser::Browser;
use quarry_world::{DEVELOPER, World};

#[test]
fn stale_and_hostile_forms_change_nothing() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let before = workflow(&world, BUG, DEVELOPER);
    let page = admin.get(&path(DEVELOPER)).assert_status(200);
    let gone = "/workflows/edit?role_id[]=99&tracker_id[]=1";
    check(&admin, &page, gone, &[], &["everybody-1-5"])
        .assert_status(422)
        .assert_contains("Roles is invalid");
    check(&admin, &page, "/workflows/edit", &[], &["everybody-1-5"]).assert_status(422);
    let path = path(DEVELOPER);
    check(&admin, &page, &path, &["everybody-1-99"], &[]).assert_status(422);
    check(&admin, &page, &path, &["everybody-x", "-", "all-1-2"], &[]).assert_status(303);
    for fields in [
        vec![("changes", "everybody-1-99=1"), ("do", "save")],
        vec![("changes", "everybody-1-2=1 author-99-2=0"), ("do", "save")],
    ] {
        admin.submit(&page, &path, &fields).assert_status(422);
    }
    let long = "everybody-1-2=0 ".repeat(20_000);
    admin
        .submit(&page, &path, &[("changes", &long)])
        .assert_status(200);
    for fields in [
        vec![("on", "x"), ("shown[]", "y"), ("mixed", "z")],
        vec![("changes[]", "everybody-1-2=0"), ("do[]", "save")],
        vec![("changes", ""), ("do", "save")],
    ] {
        admin.submit(&page, &path, &fields).assert_status(303);
    }
    assert_eq!(workflow(&world, BUG, DEVELOPER), before);
    admin
        .get("/workflows/edit?role_id=4&tracker_id=x&page=-1")
        .assert_status(200);
    admin
        .get("/workflows/permissions?role_id[a]=4&tracker_id[]=1&tracker_id[]=1")
        .assert_status(200);
}

#[test]
fn only_administrators_see_and_change_the_workflow() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let token = alice.get("/my/account").assert_status(200);
    let before = workflow(&world, BUG, DEVELOPER);
    alice.get("/workflows").assert_status(403);
    for path in [
        path(DEVELOPER).as_str(),
        "/workflows/permissions?role_id[]=4&tracker_id[]=1",
        "/workflows/copy",
    ] {
        alice.get(path).assert_status(403);
        let fields = [("changes", "everybody-1-2=0"), ("do", "save")];
        alice.submit(&token, path, &fields).assert_status(403);
    }
    assert_eq!(workflow(&world, BUG, DEVELOPER), before);
}
