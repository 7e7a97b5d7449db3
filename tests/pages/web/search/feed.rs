//! `GET /search.atom`.

use super::page;
use quarry_world::browser::Browser;
use quarry_world::search::world;

#[test]
fn feed_has_the_newest_results_that_the_reader_may_see() {
    let world = world();
    let shown = page(&world, "dave", "/search?q=rocket");
    let path = "/search.atom?q=rocket";
    let feed = world
        .as_user("dave")
        .get(path)
        .assert_status(200)
        .assert_contains("<title>rocket · Search");
    assert_eq!(
        feed.body.matches("<entry>").count(),
        usize::try_from(shown.total).unwrap()
    );
    assert!(!feed.body.contains("Hidden rocket"), "{}", feed.body);
    world
        .as_user("alice")
        .get(path)
        .assert_status(200)
        .assert_contains("Hidden rocket");
    Browser::new(&world).get(path).assert_status(302);
}

#[test]
fn feed_keeps_the_options_and_refuses_a_query_that_cannot_be_used() {
    let world = world();
    let feed = world
        .as_user("dave")
        .get("/search.atom?q=rocket&news=1")
        .assert_status(200);
    assert_eq!(feed.body.matches("<entry>").count(), 1);
    world
        .as_user("dave")
        .get("/search.atom?q=is:opne")
        .assert_status(422);
    world
        .as_user("dave")
        .get("/projects/secret/search.atom?q=rocket")
        .assert_status(404);
}
