//! `GET /projects/:project_id/wiki/:title/history`, `…/diff` (compatibility 13.4)

use super::{update, write};
use quarry::domain::access::permission::{Permission, PermissionSet};
use quarry::domain::administration::setting::Setting;
use quarry::store::administration::roles;
use quarry_world::{REPORTER, World};
use serde_json::json;

/// A page with two versions.
fn world() -> World {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "one\ntwo\n");
    update(
        &world,
        "bob",
        "open/wiki/Wiki",
        json!({"text": "one\nTwo\nthree\n", "comments": "better"}),
    )
    .assert_status(200);
    world
}

#[test]
fn history_lists_versions_newest_first() {
    let world = world();
    let dave = world.as_user("dave");
    let list = dave
        .get("/projects/open/wiki/wiki/history.json")
        .assert_status(200)
        .body;
    let second = r#"{"version":2,"author":{"id":3,"name":"bob Tester"},"comments":"better","updated_on":"2026-11-20T12:00:00Z"}"#;
    let first = r#"{"version":1,"author":{"id":2,"name":"alice Tester"},"comments":null,"updated_on":"2026-11-20T12:00:00Z"}"#;
    assert_eq!(
        list,
        format!(
            "{{\"wiki_page_versions\":[{second},{first}],\"total_count\":2,\"offset\":0,\"limit\":25}}"
        )
    );
    let page = dave
        .get("/projects/open/wiki/Wiki/history.json?limit=1&offset=1")
        .assert_status(200);
    assert_eq!(page.array("/wiki_page_versions").len(), 1);
    let past = dave
        .get("/projects/open/wiki/Wiki/history.json?offset=2")
        .assert_status(200);
    assert_eq!(
        (
            past.array("/wiki_page_versions").len(),
            past.integer("/total_count")
        ),
        (0, 2)
    );
    let xml = dave
        .get("/projects/open/wiki/Wiki/history.xml")
        .assert_status(200);
    xml.assert_contains("type=\"array\"><wiki_page_version><version>2</version>");
    dave.get("/projects/open/wiki/Nope/history.json")
        .assert_status(404);
    world.set(Setting::RedmineCompatibility, "1");
    dave.get("/projects/open/wiki/Wiki/history.json")
        .assert_status(406);
}

#[test]
fn differences_of_two_versions_are_lines() {
    let world = world();
    let dave = world.as_user("dave");
    let shown = dave
        .get("/projects/open/wiki/Wiki/diff.json")
        .assert_status(200)
        .body;
    let lines = [
        r#"{"change":"unchanged","old_line":1,"new_line":1,"text":"one"}"#,
        r#"{"change":"removed","old_line":2,"text":"two"}"#,
        r#"{"change":"added","new_line":2,"text":"Two"}"#,
        r#"{"change":"added","new_line":3,"text":"three"}"#,
    ];
    let expected = format!(
        "{{\"wiki_page_diff\":{{\"title\":\"Wiki\",\"version_from\":1,\"version\":2,\"lines\":[{}]}}}}",
        lines.join(",")
    );
    assert_eq!(shown, expected, "by default the last change");
    let back = dave
        .get("/projects/open/wiki/Wiki/diff.json?version_from=2&version=1")
        .assert_status(200);
    assert_eq!(back.json_path("/wiki_page_diff/lines/1/change"), "removed");
    let same = dave
        .get("/projects/open/wiki/Wiki/diff.json?version_from=2&version=2")
        .assert_status(200);
    assert_eq!(same.array("/wiki_page_diff/lines").len(), 0);
    let xml = dave
        .get("/projects/open/wiki/Wiki/diff.xml")
        .assert_status(200);
    xml.assert_contains("<line change=\"added\" new_line=\"3\"><text>three</text></line>");
    for query in [
        "version=3",
        "version_from=0",
        "version=x",
        "version=-1",
        "version_from=9223372036854775807",
    ] {
        dave.get(&format!("/projects/open/wiki/Wiki/diff.json?{query}"))
            .assert_status(404);
    }
}

#[test]
fn former_titles_redirect() {
    let world = world();
    let renamed = json!({"wiki_page": {"title": "New"}});
    world
        .as_user("alice")
        .put("/projects/open/wiki/Wiki/rename.json", renamed)
        .assert_status(200);
    for (path, target) in [
        ("history.json?limit=1", "history.json?limit=1"),
        (
            "diff.xml?version=2&version_from=1&x=y",
            "diff.xml?version=2&version_from=1",
        ),
    ] {
        let response = world
            .as_user("dave")
            .get(&format!("/projects/open/wiki/Wiki/{path}"))
            .assert_status(302);
        assert_eq!(
            response.location(),
            format!("http://quarry.test/projects/open/wiki/New/{target}")
        );
    }
}

#[test]
fn versions_require_their_own_permission() {
    let world = world();
    world.write(|db| {
        roles::set_permissions(
            db,
            REPORTER,
            PermissionSet::NONE.with(Permission::ViewWikiPages),
        )
    });
    for path in ["history.json", "diff.xml", "diff.json?version=9"] {
        let path = format!("/projects/open/wiki/Wiki/{path}");
        assert!(
            !world
                .as_user("carol")
                .get(&path)
                .assert_status(403)
                .body
                .contains("better")
        );
        world.anonymous().get(&path).assert_status(401);
        world
            .as_user("dave")
            .get(&path.replace("open", "secret"))
            .assert_status(403);
    }
}
