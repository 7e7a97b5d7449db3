//! `PUT /projects/:id` (compatibility 8)

use super::{custom_field, permit, world};
use axum::http::Method;
use quarry::domain::access::permission::Permission;
use quarry::domain::administration::custom_field::Customized;
use quarry::domain::administration::setting::Setting;
use quarry_world::{MANAGER, Response, World, insert_version};
use serde_json::{Value, json};

pub fn update(world: &World, login: &str, reference: &str, fields: Value) -> Value {
    let body = json!({"project": fields});
    world
        .as_user(login)
        .put(&format!("/projects/{reference}.json"), &body)
        .assert_status(200)
        .json_path("/project")
}

#[test]
fn update_returns_the_project() {
    let world = world();
    let project = update(
        &world,
        "alice",
        "open",
        json!({"name": "Zeppelins", "description": "of lead", "homepage": "abc", "inherit_members": true}),
    );
    assert_eq!(project["name"], "Zeppelins");
    assert_eq!(project["description"], "of lead");
    assert_eq!(project["homepage"], "abc");
    assert_eq!(project["inherit_members"], true);
    assert_eq!(
        world.count_hits("dave", "zeppelins"),
        1,
        "the index has the new name"
    );
    let project = update(
        &world,
        "alice",
        "1",
        json!({"description": null, "identifier": "other", "status": 5, "id": 9, "created_on": "2001-01-01"}),
    );
    assert_eq!(project["identifier"], "open");
    assert_eq!(project["status"], 1);
    assert_eq!(project["id"], 1);
    assert!(project["description"].is_null());
}

#[test]
fn update_accepts_xml_and_returns_204_in_compatibility_mode() {
    let world = world();
    let alice = world.as_user("alice");
    let xml = b"<project><description>xml d</description></project>".to_vec();
    let response = alice
        .send(
            Method::PATCH,
            "/projects/open.xml",
            Some("application/xml"),
            xml,
        )
        .assert_status(200);
    assert!(
        response.body.contains("<description>xml d</description>"),
        "{}",
        response.body
    );
    world.set(Setting::RedmineCompatibility, "1");
    let response = alice
        .put("/projects/open.json", json!({"project": {"name": "x"}}))
        .assert_status(204);
    assert_eq!(response.body, "");
}

fn lists_of_project(world: &World) -> Value {
    world
        .as_user("alice")
        .get("/projects/open.json?include=trackers,enabled_modules")
        .assert_status(200)
        .json_path("/project")
}

#[test]
fn update_replaces_modules_and_trackers() {
    let world = world();
    let before = lists_of_project(&world);
    update(
        &world,
        "alice",
        "open",
        json!({"enabled_module_names": ["wiki", "forums", "issue_tracking"], "tracker_ids": [1]}),
    );
    let after = lists_of_project(&world);
    assert_eq!(after["trackers"], json!([{"id": 1, "name": "Bug"}]));
    let kept: Vec<&Value> = before["enabled_modules"]
        .as_array()
        .unwrap()
        .iter()
        .collect();
    let kept: Vec<Value> = kept
        .into_iter()
        .filter(|module| {
            ["issue_tracking", "wiki", "boards"].contains(&module["name"].as_str().unwrap())
        })
        .cloned()
        .collect();
    assert_eq!(
        after["enabled_modules"],
        json!(kept),
        "what stays keeps its number"
    );
    update(
        &world,
        "alice",
        "open",
        json!({"enabled_module_names": [], "tracker_ids": []}),
    );
    assert_eq!(
        (
            lists_of_project(&world)["trackers"].clone(),
            lists_of_project(&world)["enabled_modules"].clone()
        ),
        (json!([]), json!([]))
    );
    world
        .as_user("alice")
        .get("/projects/open/issues.json")
        .assert_status(403);
    world
        .as_user("alice")
        .put(
            "/projects/open.json",
            json!({"project": {"tracker_ids": [1, 99]}}),
        )
        .assert_status(404);
    assert_eq!(lists_of_project(&world)["trackers"], json!([]));
}

fn changes_updated_on(world: &World, fields: Value) -> bool {
    world.sql("UPDATE projects SET updated_on = 0 WHERE id = 1");
    update(world, "admin", "open", fields.clone());
    let project = world
        .as_user("admin")
        .get("/projects/open.json")
        .assert_status(200)
        .json_path("/project");
    project["updated_on"] != "1970-01-01T00:00:00Z"
}

#[test]
fn only_attributes_of_the_project_change_updated_on() {
    let world = world();
    let field = custom_field(&world, Customized::Issue, "Build", |field| {
        field.is_for_all = false
    });
    let code = custom_field(&world, Customized::Project, "Code", |_| {});
    for fields in [
        json!({"tracker_ids": [1, 2]}),
        json!({"enabled_module_names": ["issue_tracking"]}),
        json!({"issue_custom_field_ids": [field]}),
        json!({"tracker_ids": [1], "enabled_module_names": ["issue_tracking", "wiki"]}),
    ] {
        assert!(!changes_updated_on(&world, fields.clone()), "{fields}");
    }
    for fields in [
        json!({"description": "new"}),
        json!({"tracker_ids": [2], "name": "Other"}),
        json!({"custom_field_values": {code.to_string(): "x"}}),
    ] {
        assert!(changes_updated_on(&world, fields.clone()), "{fields}");
    }
    let project = world
        .as_user("admin")
        .get("/projects/open.json?include=trackers,enabled_modules")
        .assert_status(200)
        .json_path("/project");
    assert_eq!(
        (
            project["trackers"][0]["id"].clone(),
            project["enabled_modules"][1]["name"].clone()
        ),
        (json!(2), json!("wiki"))
    );
}

#[test]
fn issue_defaults_are_hidden_from_users_who_may_not_see_them() {
    let world = world();
    let now = world.app.clock.now();
    let version = world.write(move |db| insert_version(db, 2.into(), "Hidden 1.0", now));
    let project = update(
        &world,
        "alice",
        "open",
        json!({"default_version_id": version.0, "default_assigned_to_id": 2}),
    );
    assert_eq!(
        project["default_version"],
        json!({"id": version.0, "name": "Hidden 1.0"})
    );
    assert_eq!(
        project["default_assignee"],
        json!({"id": 2, "name": "alice Tester"})
    );
    assert!(
        !world
            .as_user("carol")
            .get("/projects/open.json")
            .assert_status(200)
            .body
            .contains("Hidden")
    );
    permit(&world, &[Permission::EditProject]);
    // The response does not disclose whether a hidden version exists or is the default.
    let responses = [version.0, 99].map(|id| {
        let body = json!({"project": {"default_version_id": id, "name": "y"}});
        world
            .as_user("carol")
            .put("/projects/open.json", &body)
            .assert_status(422)
            .body
    });
    assert_eq!(responses[0], responses[1]);
    let rejected = world
        .as_user("alice")
        .put(
            "/projects/open.json",
            json!({"project": {"default_assigned_to_id": 5}}),
        )
        .assert_status(422);
    assert_eq!(rejected.errors(), ["Default assignee is invalid"]);
    assert!(
        update(
            &world,
            "alice",
            "open",
            json!({"default_version_id": "", "default_assigned_to_id": null})
        )
        .get("default_version")
        .is_none()
    );
}

fn put_fields(world: &World, fields: Value) -> Response {
    world
        .as_user("alice")
        .put("/projects/open.json", json!({"project": fields}))
}

#[test]
fn unchanged_and_invalid_updates_write_nothing() {
    let world = world();
    let cost = custom_field(&world, Customized::Project, "Cost center", |field| {
        field.required = true
    });
    let last = world.app.store.last_change();
    let before = update(&world, "alice", "open", json!({}));
    for body in [
        "{}",
        r#"{"project":null}"#,
        r#"{"project":{"name":"open","tracker_ids":[1,2,3],"is_public":1}}"#,
    ] {
        assert_eq!(
            world
                .as_user("alice")
                .put("/projects/open.json", body)
                .assert_status(200)
                .json()["project"],
            before,
            "{body}"
        );
    }
    put_fields(&world, json!({"name": "", "description": "half"}))
        .assert_status(422)
        .assert_errors(&["Name cannot be blank"]);
    world
        .as_user("alice")
        .put("/projects/open.json", "{")
        .assert_status(400);
    put_fields(&world, json!(["x"])).assert_status(400);
    world
        .as_user("alice")
        .get("/projects/open.json")
        .assert_status(200)
        .assert_json_path("/project", before);
    assert_eq!(world.app.store.last_change(), last);
    let given = put_fields(
        &world,
        json!({"custom_fields": [{"id": cost, "value": "x"}]}),
    )
    .assert_status(200)
    .json_path("/project/custom_fields/0");
    assert_eq!(given["value"], "x");
    put_fields(
        &world,
        json!({"custom_field_values": {cost.to_string(): ""}}),
    )
    .assert_status(422)
    .assert_errors(&["Cost center cannot be blank"]);
}

#[test]
fn update_requires_permission() {
    let world = world();
    let body = json!({"project": {"name": "x"}});
    world
        .as_user("carol")
        .put("/projects/open.json", &body)
        .assert_status(403);
    world
        .as_user("dave")
        .put("/projects/open.xml", &body)
        .assert_status(403);
    world
        .as_user("dave")
        .put("/projects/secret.json", &body)
        .assert_status(403);
    world
        .as_user("dave")
        .put("/projects/missing.json", &body)
        .assert_status(404);
    world
        .anonymous()
        .put("/projects/open.json", &body)
        .assert_status(401);
    let closed = world.project("closed").member("alice", MANAGER).create();
    for (state, code) in [("close", 204), ("archive", 204)] {
        world
            .as_user("admin")
            .put(&format!("/projects/{closed}/{state}.json"), "")
            .assert_status(code);
        for login in ["alice", "admin"] {
            world
                .as_user(login)
                .put("/projects/closed.json", &body)
                .assert_status(403);
        }
    }
    permit(&world, &[Permission::EditProject]);
    let project = world.as_user("carol").put(
        "/projects/open.json",
        json!({"project": {"name": "y", "is_public": false, "enabled_module_names": []}}),
    );
    let project = project.assert_status(200).json_path("/project");
    assert_eq!(project["name"], "y");
    assert_eq!(project["is_public"], true);
    world
        .as_user("carol")
        .get("/projects/open/issues.json")
        .assert_status(200);
}

fn put_homepage(world: &World, value: Value) -> Value {
    update(world, "alice", "open", json!({"homepage": value}))["homepage"].clone()
}

fn first_by_homepage(world: &World, order: &str) -> Value {
    let path = format!("/projects.json?sort=homepage{order}");
    world
        .as_user("admin")
        .get(&path)
        .assert_status(200)
        .json_path("/projects/0/identifier")
}

#[test]
fn null_home_page_differs_from_an_empty_one() {
    let world = world();
    assert_eq!(
        [
            put_homepage(&world, json!("")),
            put_homepage(&world, json!(null)),
            put_homepage(&world, json!("a"))
        ],
        [json!(""), json!(null), json!("a")]
    );
    put_homepage(&world, json!(null));
    let xml = world
        .as_user("alice")
        .get("/projects/open.xml")
        .assert_status(200)
        .body;
    assert!(xml.contains("<homepage/>"), "{xml}");
    update(&world, "admin", "secret", json!({"homepage": "a"}));
    assert_eq!(
        (
            first_by_homepage(&world, ""),
            first_by_homepage(&world, ":desc")
        ),
        (json!("open"), json!("secret")),
        "null comes before any text"
    );
}

fn enable_modules(world: &World, names: &[&str]) -> Vec<String> {
    world
        .as_user("alice")
        .put(
            "/projects/open.json",
            json!({"project": {"enabled_module_names": names}}),
        )
        .assert_status(200);
    let project = world
        .as_user("alice")
        .get("/projects/open.json?include=enabled_modules")
        .assert_status(200);
    project.texts("/project/enabled_modules", "name")
}

#[test]
fn new_modules_get_ids_in_the_order_of_the_request() {
    let world = World::with_projects();
    assert_eq!(
        enable_modules(&world, &["issue_tracking"]),
        ["issue_tracking"]
    );
    let added = enable_modules(
        &world,
        &[
            "gantt",
            "boards",
            "nonsense",
            "issue_tracking",
            "calendar",
            "gantt",
            "files",
        ],
    );
    assert_eq!(
        added,
        ["issue_tracking", "gantt", "boards", "calendar", "files"]
    );
    assert_eq!(
        enable_modules(&world, &["wiki", "boards", "gantt"]),
        ["gantt", "boards", "wiki"],
        "those that stay keep theirs"
    );
}
