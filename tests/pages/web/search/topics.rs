//! One result for each topic (docs/pages.md, "Search").

use super::page;
use quarry_world::search::world;
use serde_json::json;

#[test]
fn replies_collapse_into_the_best_hit_of_their_topic() {
    let world = world();
    let found = world
        .as_user("dave")
        .get("/search.json?q=rocket&messages=1");
    found.assert_status(200).assert_json_path("/total_count", 2);
    let shown = page(&world, "dave", "/search?q=rocket&messages=1");
    assert_eq!((shown.total, shown.paths.len()), (2, 1));
    let path = "/search?q=rocket&messages=1&topic=1";
    assert_eq!(shown.topics, [(1, path.to_owned())]);
    let all = page(&world, "dave", path);
    assert_eq!((all.total, all.paths.len()), (2, 2));
    assert!(all.topics.is_empty());
    // The chip with the subject leads back.
    assert_eq!(all.chips, ["/search?q=rocket&messages=1"]);
    world
        .as_user("dave")
        .get(path)
        .assert_contains("<b>topic:</b> Rockets?<a")
        .assert_contains("name=\"topic\" value=\"1\"");
}

#[test]
fn topic_restricts_the_api_to_messages_that_the_viewer_may_see() {
    let world = world();
    world.sql("UPDATE projects SET is_public = 0 WHERE id = 1");
    for (login, expected) in [("alice", 2), ("dave", 0)] {
        let path = "/search.json?q=rocket&topic=1";
        let found = world.as_user(login).get(path).assert_status(200);
        assert_eq!(found.json()["total_count"], json!(expected), "{login}");
    }
    // Nor does the page name it.
    let page = world.as_user("dave").get("/search?q=rocket&topic=1");
    assert!(!page.assert_status(200).body.contains("Rockets?"));
    // A reply is no topic.
    let found = world.as_user("alice").get("/search.json?q=rocket&topic=2");
    found.assert_status(200).assert_json_path("/total_count", 0);
    world
        .as_user("alice")
        .get("/search.json?q=rocket&topic=x")
        .assert_status(422)
        .assert_contains("topic must be the id of a topic");
}
