//! The list of a project leads to what it showed last.

use quarry_world::World;
use quarry_world::browser::Browser;

fn world() -> World {
    let world = World::with_projects();
    world.issue("open").create();
    world
}

#[test]
fn list_of_a_project_leads_to_what_it_showed_last() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    bob.get("/projects/open/issues").assert_status(200);
    let list = "/projects/open/issues?priority_id=2&sort=id%3Adesc";
    bob.get(&format!("{list}&page=1")).assert_status(200);
    // Exports, failing lists and lists of all projects are not remembered.
    bob.get("/projects/open/issues.csv?tracker_id=1")
        .assert_status(200);
    bob.get("/projects/open/issues?due_date=soon")
        .assert_status(422);
    bob.get("/issues?tracker_id=1").assert_status(200);
    let again = bob.get("/projects/open/issues").assert_status(302);
    assert_eq!(again.location(), list);
    let page = bob.get(list).assert_status(200);
    page.assert_contains(r#"href="/projects/open/issues?set_filter=1">Reset"#);
    bob.get("/projects/open/issues?set_filter=1")
        .assert_status(200);
    bob.get("/projects/open/issues").assert_status(200);
    bob.get("/issues").assert_status(200);
}

#[test]
fn remembered_list_is_that_of_the_user() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    bob.get("/projects/open/issues?priority_id=2")
        .assert_status(200);
    let page = bob.get("/issues").assert_status(200);
    bob.submit(&page, "/logout", &[]).assert_status(303);
    bob.log_in("alice", "alicealice", &[]).assert_status(303);
    bob.get("/projects/open/issues").assert_status(200);
}

#[test]
fn list_that_can_no_longer_be_shown_is_forgotten() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/projects/open/issues").assert_status(200);
    let saved = bob.submit(
        &page,
        "/projects/open/queries?priority_id=2",
        &[("query[name]", "Mine")],
    );
    let list = saved.assert_status(303).location().to_owned();
    bob.get(&list).assert_status(200);
    let again = bob.get("/projects/open/issues").assert_status(302);
    assert_eq!(again.location(), list);
    world.sql("DELETE FROM queries");
    let forgotten = bob.get(&list).assert_status(302);
    assert_eq!(forgotten.location(), "/projects/open/issues?set_filter=1");
    bob.get("/projects/open/issues").assert_status(200);
}

#[test]
fn cookie_is_bounded_and_only_for_the_list() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/projects/open/issues?priority_id=2");
    let cookie = page.header("set-cookie").to_owned();
    assert!(
        cookie.starts_with("list=") && cookie.contains("Path=/projects/open/issues;"),
        "{cookie}"
    );
    assert!(cookie.contains("HttpOnly"), "{cookie}");
    let long = format!("/projects/open/issues?subject=~{}", "%C3%A9".repeat(250));
    bob.get(&long).assert_status(200);
    bob.get("/projects/open/issues").assert_status(302);
    let ids: Vec<String> = (1..900).map(|id| id.to_string()).collect();
    let too_long = format!("/projects/open/issues?issue_id={}", ids.join(","));
    bob.get(&too_long).assert_status(200);
    bob.get("/projects/open/issues").assert_status(200);
}
