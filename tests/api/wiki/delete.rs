//! `DELETE /projects/:project_id/wiki/:title`

use super::{found, page, titles, update, write};
use quarry::domain::ids::ProjectId;
use quarry::domain::projects::project::ProjectStatus;
use quarry::store::projects;
use quarry_world::World;
use serde_json::json;

/// A world with the pages Root, its child Kid, its grandchild Grand_kid, and Other.
fn family() -> World {
    let world = World::with_projects();
    write(&world, "open/wiki/Root", "zeppelin");
    update(
        &world,
        "alice",
        "open/wiki/Kid",
        json!({"text": "zeppelin", "parent_title": "Root"}),
    )
    .assert_status(201);
    update(
        &world,
        "alice",
        "open/wiki/Grand_kid",
        json!({"text": "zeppelin", "parent_title": "Kid"}),
    )
    .assert_status(201);
    write(&world, "open/wiki/Other", "other");
    world
}

/// Returns the id of a page from the search results.
fn number(world: &World, title: &str) -> i64 {
    let hits = world
        .as_user("alice")
        .get(&format!("/search.json?wiki_pages=1&q={title}"))
        .assert_status(200)
        .json();
    let hit = hits["results"]
        .as_array()
        .unwrap()
        .iter()
        .find(|hit| hit["title"] == format!("Wiki: {title}"))
        .unwrap();
    hit["id"].as_i64().unwrap()
}

#[test]
fn deleted_page_and_versions_are_not_found() {
    let world = family();
    update(
        &world,
        "bob",
        "open/wiki/Root",
        json!({"text": "zeppelin two"}),
    )
    .assert_status(200);
    assert_eq!(found(&world, "zeppelin").len(), 3);
    let response = world
        .as_user("bob")
        .delete("/projects/open/wiki/root.json")
        .assert_status(200);
    assert_eq!(response.body, "");
    assert_eq!(found(&world, "zeppelin").len(), 2);
    for path in ["Root.json", "Root/1.json", "Root.xml"] {
        world
            .as_user("alice")
            .get(&format!("/projects/open/wiki/{path}"))
            .assert_status(404);
    }
    world
        .as_user("alice")
        .delete("/projects/open/wiki/Root.xml")
        .assert_status(404);
    // The children have no parent, and a new page of the same title starts with version 1.
    assert_eq!(page(&world, "open/wiki/Kid").get("parent"), None);
    assert_eq!(
        page(&world, "open/wiki/Grand_kid")["parent"]["title"],
        "Kid"
    );
    write(&world, "open/wiki/Root", "new");
    assert_eq!(page(&world, "open/wiki/Root")["version"], 1);
}

#[test]
fn child_pages_can_be_deleted_too() {
    let world = family();
    world
        .as_user("bob")
        .delete("/projects/open/wiki/Root.json?todo=destroy")
        .assert_status(200);
    assert_eq!(
        (titles(&world), found(&world, "zeppelin").len()),
        (vec!["Other".to_owned()], 0)
    );
}

#[test]
fn child_pages_can_be_reassigned() {
    let world = family();
    let other = number(&world, "Other");
    world
        .as_user("bob")
        .delete(&format!(
            "/projects/open/wiki/Root.json?todo=reassign&reassign_to_id={other}"
        ))
        .assert_status(200);
    assert_eq!(page(&world, "open/wiki/Kid")["parent"]["title"], "Other");
    let grand_kid = number(&world, "Grand_kid");
    world
        .as_user("bob")
        .delete(&format!(
            "/projects/open/wiki/Other.json?reassign_to_id={grand_kid}"
        ))
        .assert_status(422);
    assert_eq!(titles(&world), ["Grand_kid", "Kid", "Other"]);
}

#[test]
fn invalid_parameters_delete_nothing() {
    let world = family();
    write(&world, "secret/wiki/Hidden", "text");
    let root = number(&world, "Root");
    let hidden = number(&world, "Hidden");
    for query in [
        "todo=destory",
        "todo=reassign",
        "todo=reassign&reassign_to_id=999",
        "reassign_to_id=x",
        "todo=reassign&reassign_to_id=0",
    ] {
        assert_eq!(
            world
                .as_user("bob")
                .delete(&format!("/projects/open/wiki/Root.json?{query}"))
                .assert_status(422)
                .errors()
                .len(),
            1,
            "{query}"
        );
    }
    for heir in [root, hidden] {
        world
            .as_user("alice")
            .delete(&format!(
                "/projects/open/wiki/Root.xml?todo=reassign&reassign_to_id={heir}"
            ))
            .assert_status(422);
    }
    assert_eq!(titles(&world).len(), 4);
    assert_eq!(page(&world, "open/wiki/Kid")["parent"]["title"], "Root");
}

#[test]
fn redirects_to_a_deleted_page_are_deleted() {
    let world = family();
    update(
        &world,
        "alice",
        "open/wiki/Other",
        json!({"text": "other", "title": "Another"}),
    )
    .assert_status(200);
    world
        .as_user("dave")
        .get("/projects/open/wiki/Other.json")
        .assert_status(302);
    world
        .as_user("bob")
        .delete("/projects/open/wiki/Other.json")
        .assert_status(200);
    for title in ["Other", "Another"] {
        world
            .as_user("dave")
            .get(&format!("/projects/open/wiki/{title}.json"))
            .assert_status(404);
    }
}

#[test]
fn delete_requires_permission() {
    let world = family();
    update(
        &world,
        "alice",
        "open/wiki/Sidebar",
        json!({"text": "side", "parent_title": "Kid"}),
    )
    .assert_status(201);
    write(&world, "secret/wiki/Hidden", "text");
    for login in ["carol", "dave"] {
        world
            .as_user(login)
            .delete("/projects/open/wiki/Root.json")
            .assert_status(403);
        world
            .as_user(login)
            .delete("/projects/open/wiki/Nope.json")
            .assert_status(403);
        world
            .as_user(login)
            .delete("/projects/secret/wiki/Hidden.xml")
            .assert_status(403);
    }
    world
        .anonymous()
        .delete("/projects/open/wiki/Root.json")
        .assert_status(401);
    world
        .as_user("alice")
        .delete("/projects/missing/wiki/Root.json")
        .assert_status(404);
    world
        .as_user("bob")
        .delete("/projects/open/wiki/Sidebar.json")
        .assert_status(403);
    // A protected page is not deleted with its parent either.
    world
        .as_user("bob")
        .delete("/projects/open/wiki/Root.json?todo=destroy")
        .assert_status(403);
    // A single version cannot be deleted.
    world
        .as_user("alice")
        .delete("/projects/open/wiki/Root/1.json")
        .assert_status(403);
    world
        .anonymous()
        .delete("/projects/open/wiki/Root/1.json")
        .assert_status(401);
    world
        .as_user("alice")
        .delete("/projects/missing/wiki/Root/1.json")
        .assert_status(404);
    assert_eq!(titles(&world).len(), 5);
    world.write(|db| projects::set_status(db, ProjectId(1), ProjectStatus::Closed));
    world
        .as_user("alice")
        .delete("/projects/open/wiki/Root.json")
        .assert_status(403);
    world.write(|db| projects::set_status(db, ProjectId(1), ProjectStatus::Active));
    world
        .as_user("alice")
        .delete("/projects/open/wiki/Root.json?todo=destroy")
        .assert_status(200);
}
