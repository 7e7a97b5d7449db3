//! The versions of a wiki page, and their comparison.

use super::{save, write};
use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::json;

const PATH: &str = "/projects/open/wiki/Manual";

#[test]
fn any_two_versions_are_compared() {
    let world = World::with_projects();
    write(&world, "open/wiki/Manual", "one");
    for text in ["two", "three"] {
        save(&world, "open/wiki/Manual", json!({"text": text})).assert_status(200);
    }
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(&format!("{PATH}/history")).assert_status(200);
    let page = page.assert_contains(&format!("method=\"get\" action=\"{PATH}/diff\""));
    assert_eq!(page.body.matches("type=\"radio\"").count(), 6);
    assert_eq!(page.body.matches(" checked").count(), 2);
    for query in [
        "version_from=1&version=3",
        "version_from=3&version=1",
        "version_from=1",
    ] {
        let diff = alice
            .get(&format!("{PATH}/diff?{query}"))
            .assert_status(200);
        let diff = diff
            .assert_contains("version 1 to 3")
            .assert_contains("<del>one</del>");
        diff.assert_contains("<ins>three</ins>");
    }
    let _ = alice
        .get(&format!("{PATH}/diff?version=9"))
        .assert_status(404);
    let same = alice
        .get(&format!("{PATH}/diff?version=2&version_from=2"))
        .assert_status(200);
    same.assert_contains("Both versions have the same text.");
    world.sql("DELETE FROM role_permissions WHERE name = 'view_wiki_edits'");
    for below in ["history", "diff", "1"] {
        let _ = alice.get(&format!("{PATH}/{below}")).assert_status(404);
    }
}
