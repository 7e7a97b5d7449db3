//! `/admin/index`.

use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::wait::{TIMEOUT, until};

#[test]
fn documents_are_counted_by_type() {
    let world = World::with_projects();
    for n in 0..3 {
        world
            .issue("secret")
            .subject(&format!("Issue {n}"))
            .create();
    }
    assert!(
        world
            .app
            .search
            .wait_until(world.app.store.last_change(), TIMEOUT)
    );
    let page = Browser::logged_in(&world, "admin")
        .get("/admin/index")
        .assert_status(200);
    for row in [
        "<td>Issues</td><td class=\"number\">3</td>",
        "<td>Projects</td><td class=\"number\">2</td>",
        "<dd>5</dd>",
        "Up to date",
    ] {
        assert!(page.body.contains(row), "{row} in {}", page.body);
    }
    for label in [
        "<dt>Version</dt><dd>0.1.0",
        "<dt>Running for</dt><dd>0 seconds",
        "<dt>Database</dt>",
        "<dt>Size on disk</dt>",
    ] {
        assert!(page.body.contains(label), "{label} in {}", page.body);
    }
}

#[test]
fn button_rebuilds_the_index_while_searches_go_on() {
    let world = World::with_projects();
    world.issue("open").subject("Findable").create();
    let browser = Browser::logged_in(&world, "admin");
    let before = world.app.search.status().generation;
    let page = browser.get("/admin/index").assert_status(200);
    assert!(
        !page.body.contains("<progress") && !page.body.contains("data-refresh"),
        "{}",
        page.body
    );
    let reply = browser
        .submit(&page, "/admin/index", &[])
        .assert_status(303);
    assert_eq!(reply.location(), "/admin/index");
    world
        .as_user("alice")
        .get("/search.json?q=findable")
        .assert_json_path("/total_count", 1);
    until(TIMEOUT, "the rebuild ends", || {
        !world.app.search.status().rebuilding
    });
    let status = world.app.search.status();
    assert!(
        status.generation > before && !status.rebuild_failed,
        "{status:?}"
    );
    world
        .as_user("alice")
        .get("/search.json?q=findable")
        .assert_json_path("/total_count", 1);
}

#[test]
fn running_rebuild_is_shown_and_not_started_twice() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "admin");
    let page = browser.get("/admin/index").assert_status(200);
    // The callback holds the rebuild until the page was looked at.
    let (started, wait_for_start) = std::sync::mpsc::channel();
    let (go_on, hold) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let search = &world.app.search;
        let rebuild = scope.spawn(move || {
            let mut hold = Some(hold);
            search.rebuild(|_| {
                if let Some(hold) = hold.take() {
                    started.send(()).unwrap();
                    let _ = hold.recv_timeout(TIMEOUT);
                }
            })
        });
        wait_for_start.recv_timeout(TIMEOUT).unwrap();
        let running = browser.get("/admin/index").assert_status(200);
        for part in [
            "<progress id=\"progress\"",
            "data-refresh=",
            "http-equiv=\"refresh\"",
            "Rebuilding",
        ] {
            assert!(running.body.contains(part), "{part} in {}", running.body);
        }
        assert!(
            !running.body.contains(">Rebuild index</button>"),
            "{}",
            running.body
        );
        browser
            .get("/admin")
            .assert_status(200)
            .assert_contains("The search index is being rebuilt.");
        browser
            .submit(&page, "/admin/index", &[])
            .assert_status(303);
        browser
            .get("/admin/index")
            .assert_contains("already being rebuilt");
        go_on.send(()).unwrap();
        rebuild.join().unwrap().unwrap();
    });
    assert!(!browser.get("/admin/index").body.contains("<progress"));
}

#[test]
fn searches_of_the_last_hour_are_drawn() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "admin");
    browser
        .get("/admin/index")
        .assert_status(200)
        .assert_contains("There was no search in the last hour.");
    world
        .as_user("alice")
        .get("/search.json?q=word")
        .assert_status(200);
    world
        .as_user("alice")
        .get("/projects/open/search.json?q=word")
        .assert_status(200);
    browser.get("/search?q=word").assert_status(200);
    world
        .as_user("alice")
        .get("/search/suggest.json?q=word")
        .assert_status(200);
    world
        .as_user("alice")
        .get("/search.json?q=word&explain=maybe")
        .assert_status(422);
    let page = browser.get("/admin/index").assert_status(200);
    assert!(
        page.body
            .contains("aria-label=\"3 searches in the last hour: median "),
        "{}",
        page.body
    );
}
