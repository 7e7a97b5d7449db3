//! `PUT /projects/:project_id/wiki/:title/protect`, `…/rename` (compatibility 13.4)

use super::{found, page, titles, update, write};
use axum::http::Method;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn change(world: &World, login: &str, path: &str, fields: Value) -> Response {
    world.as_user(login).put(
        &format!("/projects/open/wiki/{path}.json"),
        json!({"wiki_page": fields}),
    )
}

#[test]
fn protected_page_can_be_changed_with_permission_only() {
    let world = World::with_projects();
    write(&world, "open/wiki/Rules", "one");
    let set =
        change(&world, "alice", "rules/protect", json!({"protected": true})).assert_status(200);
    set.assert_json_path("/wiki_page/protected", true)
        .assert_json_path("/wiki_page/text", "one");
    assert_eq!(page(&world, "open/wiki/Rules").get("protected"), None);
    let shown = world
        .as_user("dave")
        .get("/projects/open/wiki/Rules.json?include=protected")
        .assert_status(200);
    shown.assert_json_path("/wiki_page/protected", true);
    update(&world, "bob", "open/wiki/Rules", json!({"text": "two"})).assert_status(403);
    update(&world, "alice", "open/wiki/Rules", json!({"text": "two"})).assert_status(200);
    let body = b"<wiki_page><protected type=\"boolean\">false</protected></wiki_page>".to_vec();
    let path = "/projects/open/wiki/Rules/protect.xml";
    let unset = world
        .as_user("alice")
        .send(Method::PUT, path, Some("application/xml"), body)
        .assert_status(200);
    unset.assert_contains("<protected>false</protected>");
    update(&world, "bob", "open/wiki/Rules", json!({"text": "three"})).assert_status(200);
}

#[test]
fn protecting_requires_permission_and_a_value() {
    let world = World::with_projects();
    write(&world, "open/wiki/Rules", "one");
    write(&world, "open/wiki/Sidebar", "one");
    for login in ["bob", "carol", "dave"] {
        change(&world, login, "Rules/protect", json!({"protected": true})).assert_status(403);
    }
    let path = "/projects/open/wiki/Rules/protect.json";
    world
        .anonymous()
        .put(path, json!({"wiki_page": {"protected": true}}))
        .assert_status(401);
    for fields in [
        json!({}),
        json!({"protected": null}),
        json!({"protected": ""}),
    ] {
        change(&world, "alice", "Rules/protect", fields)
            .assert_status(422)
            .assert_errors(&["Protected cannot be blank"]);
    }
    let list =
        change(&world, "alice", "Rules/protect", json!({"protected": [1]})).assert_status(422);
    list.assert_errors(&["Protected is invalid (one value is expected, not a list)"]);
    world.as_user("alice").put(path, "{").assert_status(400);
    change(&world, "alice", "Nope/protect", json!({"protected": true})).assert_status(404);
    let always = change(
        &world,
        "alice",
        "Sidebar/protect",
        json!({"protected": false}),
    )
    .assert_status(422);
    always.assert_errors(&["Protected is invalid (this page is always protected)"]);
}

#[test]
fn page_is_renamed_and_moved_without_a_text() {
    let world = World::with_projects();
    for title in ["Old", "Parent", "Taken"] {
        write(&world, &format!("open/wiki/{title}"), "zeppelin");
    }
    let renamed = change(
        &world,
        "alice",
        "Old/rename",
        json!({"title": "new name", "parent_title": "parent"}),
    )
    .assert_status(200);
    renamed
        .assert_json_path("/wiki_page/title", "New_name")
        .assert_json_path("/wiki_page/parent/title", "Parent");
    assert_eq!(page(&world, "open/wiki/New_name")["version"], 1);
    assert_eq!(titles(&world), ["New_name", "Parent", "Taken"]);
    assert!(found(&world, "zeppelin").contains(&"Wiki: New_name".to_owned()));
    world
        .as_user("dave")
        .get("/projects/open/wiki/Old.json")
        .assert_status(302);
    // By the former title, without a redirect, and out of the parent.
    let fields = json!({"title": "Last", "parent_title": "", "redirect_existing_links": "0"});
    let last = change(&world, "alice", "Old/rename", fields).assert_status(200);
    assert_eq!(last.json()["wiki_page"].get("parent"), None);
    world
        .as_user("dave")
        .get("/projects/open/wiki/New_name.json")
        .assert_status(404);
    for (fields, error) in [
        (json!({}), "Title cannot be blank"),
        (json!({"title": ""}), "Title cannot be blank"),
        (json!({"title": "Taken"}), "Title has already been taken"),
        (
            json!({"parent_title": "Nope"}),
            "Parent title is invalid (this wiki has no such page)",
        ),
        (
            json!({"title": "Other", "parent_title": "Last"}),
            "Parent title is invalid (a page cannot stand below itself)",
        ),
    ] {
        change(&world, "alice", "Last/rename", fields)
            .assert_status(422)
            .assert_errors(&[error]);
    }
    assert_eq!(titles(&world), ["Last", "Parent", "Taken"]);
}

#[test]
fn renaming_requires_permission() {
    let world = World::with_projects();
    write(&world, "open/wiki/Old", "one");
    for login in ["bob", "carol", "dave"] {
        change(&world, login, "Old/rename", json!({"title": "New"})).assert_status(403);
    }
    let path = "/projects/open/wiki/Old/rename.json";
    world
        .anonymous()
        .put(path, json!({"wiki_page": {"title": "New"}}))
        .assert_status(401);
    world.as_user("alice").put(path, "{").assert_status(400);
    change(&world, "alice", "Nope/rename", json!({"title": "New"})).assert_status(404);
    // A protected page stays, for those who may rename pages only.
    change(&world, "alice", "Old/protect", json!({"protected": true})).assert_status(200);
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (4, 'rename_wiki_pages')");
    change(&world, "bob", "Old/rename", json!({"title": "New"})).assert_status(403);
    change(&world, "alice", "Old/protect", json!({"protected": false})).assert_status(200);
    change(&world, "bob", "Old/rename", json!({"title": "New"})).assert_status(200);
}
