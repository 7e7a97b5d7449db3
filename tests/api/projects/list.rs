//! `GET /projects`

use quarry::domain::administration::custom_field::{Customized, Format};
use quarry::domain::projects::project::ProjectStatus;
use quarry::store::projects;
use quarry_world::{MANAGER, REPORTER, World};
use serde_json::json;

fn identifiers(world: &World, login: &str, query: &str) -> Vec<String> {
    let response = world
        .as_user(login)
        .get(&format!("/projects.json{query}"))
        .assert_status(200)
        .json();
    let listed: Vec<String> = response["projects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|project| project["identifier"].as_str().unwrap().to_owned())
        .collect();
    listed
}

fn world() -> World {
    let world = World::new();
    world.project("open").create();
    world
        .project("secret")
        .private()
        .member("carol", REPORTER)
        .create();
    let closed = world.project("closed").create();
    let archived = world.project("archived").member("carol", REPORTER).create();
    world.write(move |db| projects::set_status(db, closed, ProjectStatus::Closed));
    world.write(move |db| projects::set_status(db, archived, ProjectStatus::Archived));
    world
}

#[test]
fn users_see_visible_projects_only() {
    let world = world();
    assert_eq!(identifiers(&world, "dave", ""), ["open"]);
    assert_eq!(identifiers(&world, "carol", ""), ["open", "secret"]);
    assert_eq!(identifiers(&world, "admin", ""), ["open", "secret"]);
}

#[test]
fn status_filter_excludes_archived_projects() {
    let world = world();
    assert_eq!(identifiers(&world, "admin", "?status=5"), ["closed"]);
    assert_eq!(
        identifiers(&world, "admin", "?status=1|5"),
        ["closed", "open", "secret"]
    );
    assert_eq!(identifiers(&world, "admin", "?status=!1"), ["closed"]);
    assert_eq!(
        identifiers(&world, "admin", "?status="),
        ["closed", "open", "secret"]
    );
    for none in ["?status=9", "?status=*", "?status=x"] {
        assert!(identifiers(&world, "admin", none).is_empty(), "{none}");
    }
}

#[test]
fn pagination_works_in_json_and_xml() {
    let world = world();
    let response = world
        .as_user("carol")
        .get("/projects.json?limit=1&offset=1")
        .assert_status(200)
        .json();
    assert_eq!(response["total_count"], 2);
    assert_eq!(response["offset"], 1);
    assert_eq!(response["limit"], 1);
    let xml = world
        .as_user("carol")
        .get("/projects.xml?offset=7")
        .assert_status(200)
        .body;
    assert!(
        xml.ends_with(
            "<projects total_count=\"2\" offset=\"7\" limit=\"25\" type=\"array\"></projects>"
        ),
        "{xml}"
    );
    let bare = world
        .as_user("carol")
        .get("/projects.json?nometa=1")
        .assert_status(200)
        .json();
    assert_eq!(bare.as_object().unwrap().len(), 1);
}

fn names(world: &World, query: &str) -> Vec<String> {
    let list = world
        .as_user("alice")
        .get(&format!("/projects.json?{query}"))
        .assert_status(200)
        .array("/projects");
    list.iter()
        .map(|project| project["name"].as_str().unwrap().to_owned())
        .collect::<Vec<_>>()
}

#[test]
fn tree_ignores_case_and_names_are_ordered_by_their_bytes() {
    let world = World::new();
    for name in ["beta", "Zeta", "alpha", "Ärger"] {
        world.project(name).create();
    }
    assert_eq!(names(&world, ""), ["alpha", "beta", "Zeta", "Ärger"]);
    assert_eq!(
        names(&world, "sort=parent_id"),
        ["alpha", "beta", "Zeta", "Ärger"]
    );
    assert_eq!(
        names(&world, "sort=name"),
        ["Zeta", "alpha", "beta", "Ärger"]
    );
    assert_eq!(
        names(&world, "sort=name:desc"),
        ["Ärger", "beta", "alpha", "Zeta"]
    );
}

fn sorted(world: &World, login: &str, sort: &str) -> Vec<i64> {
    let list = world
        .as_user(login)
        .get(&format!("/projects.json?sort={sort}"))
        .assert_status(200)
        .array("/projects");
    list.iter()
        .map(|project| project["id"].as_i64().unwrap())
        .collect::<Vec<_>>()
}

#[test]
fn projects_sort_by_custom_fields_and_the_tree() {
    let world = super::world();
    let size = super::custom_field(&world, Customized::Project, "Size", |field| {
        field.format = Format::Integer
    });
    let secret = super::custom_field(&world, Customized::Project, "Rank", |field| {
        field.visible = false;
        field.roles = [MANAGER].into();
    });
    world.sql(&format!(
        "UPDATE custom_fields SET field_format = 'int' WHERE id = {size}"
    ));
    let below = super::make(
        &world,
        "below",
        json!({"parent_id": 1, "custom_field_values": {size.to_string(): "10"}}),
    );
    let values = json!({"project": {"custom_field_values": {size.to_string(): "9", secret.to_string(): "b"}}});
    world
        .as_user("admin")
        .put("/projects/2.json", values)
        .assert_status(200);
    let values = json!({"project": {"custom_field_values": {secret.to_string(): "c"}}});
    world
        .as_user("admin")
        .put(&format!("/projects/{below}.json"), values)
        .assert_status(200);
    assert_eq!(
        sorted(&world, "alice", &format!("cf_{size}")),
        [1, 2, below],
        "9 is less than 10, nothing is least"
    );
    assert_eq!(
        sorted(&world, "alice", &format!("cf_{size}:desc")),
        [below, 2, 1]
    );
    assert_eq!(sorted(&world, "alice", "parent_id"), [1, below, 2]);
    assert_eq!(
        sorted(&world, "alice", "parent_id:desc"),
        [1, below, 2],
        "the tree has no other order"
    );
    // Alice manages the second project only in which she sees the field; for dave there is no such
    // column.
    assert_eq!(
        sorted(&world, "admin", &format!("cf_{secret}:desc")),
        [below, 2, 1]
    );
    assert_eq!(
        sorted(&world, "alice", &format!("cf_{secret}:desc")),
        [2, 1, below]
    );
    assert_eq!(
        sorted(&world, "dave", &format!("cf_{secret}:desc,name:desc")),
        [1, below]
    );
}
