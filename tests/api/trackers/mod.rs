//! `/trackers`, `/trackers/:id` (compatibility 14)

use axum::http::Method;
use quarry::domain::access::permission::Permission;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::RoleId;
use quarry::store::administration::custom_fields;
use quarry_world::{Client, Response, World};
use serde_json::{Value, json};

fn create(world: &World, fields: Value) -> Response {
    world
        .as_user("admin")
        .post("/trackers.json", json!({ "tracker": fields }))
}

fn names(world: &World) -> Vec<String> {
    world
        .as_user("dave")
        .get("/trackers.json")
        .assert_status(200)
        .texts("/trackers", "name")
}

fn update(world: &World, id: i64, body: &str) -> Response {
    world
        .as_user("admin")
        .put(&format!("/trackers/{id}.json"), body)
}

#[test]
fn tracker_is_created_shown_updated_and_deleted() {
    let world = World::with_projects();
    let field = CustomField::new(Customized::Issue, "Platform", Format::Line);
    world.write(move |db| custom_fields::insert(db, &field));
    let fields = json!({
        "name": " Task ", "default_status_id": 2, "description": "Work", "position": 1,
        "enabled_standard_fields": ["assigned_to_id", "description"], "custom_field_ids": [1], "project_ids": [2, 2]
    });
    let created = create(&world, fields).assert_status(201);
    assert_eq!(created.location(), "http://quarry.test/trackers/4");
    let shown = r#"{"tracker":{"id":4,"name":"Task","default_status":{"id":2,"name":"In Progress"},"description":"Work","enabled_standard_fields":["assigned_to_id","description"],"position":1,"disabled_core_fields":["category_id","fixed_version_id","parent_issue_id","start_date","due_date","estimated_hours","done_ratio"],"custom_fields":[{"id":1,"name":"Platform"}],"projects":[{"id":2,"name":"secret"}]}}"#;
    assert_eq!(created.body, shown);
    assert_eq!(
        world
            .as_user("admin")
            .get("/trackers/4.json")
            .assert_status(200)
            .body,
        shown
    );
    assert_eq!(names(&world), ["Task", "Bug", "Feature", "Support"]);
    let body = b"<tracker><description/><disabled_core_fields type=\"array\"><field>priority_id</field></disabled_core_fields><custom_field_ids type=\"array\"></custom_field_ids><project_ids type=\"array\"><id>1</id></project_ids></tracker>";
    let xml = world
        .as_user("admin")
        .send(
            Method::PUT,
            "/trackers/4.xml",
            Some("application/xml"),
            body.to_vec(),
        )
        .assert_status(200)
        .body;
    let end = "<position>1</position><disabled_core_fields type=\"array\"><field>priority_id</field></disabled_core_fields><custom_fields type=\"array\"></custom_fields><projects type=\"array\"><project id=\"1\" name=\"open\"/></projects></tracker>";
    assert!(
        xml.ends_with(end) && xml.contains("<name>Task</name>") && xml.contains("<description/>"),
        "{xml}"
    );
    let kept =
        update(&world, 4, r#"{"tracker":{"enabled_standard_fields":[]}}"#).assert_status(200);
    assert_eq!(
        kept.array("/tracker/disabled_core_fields").len(),
        10,
        "the priority stays disabled"
    );
    update(&world, 4, "{}")
        .assert_status(200)
        .assert_json_path("/tracker/name", "Task");
    assert_eq!(
        world
            .as_user("admin")
            .delete("/trackers/4.json")
            .assert_status(204)
            .body,
        ""
    );
    world
        .as_user("admin")
        .delete("/trackers/4.json")
        .assert_status(404);
    assert_eq!(names(&world), ["Bug", "Feature", "Support"]);
}

#[test]
fn lists_show_fields_of_administrators_on_request_only() {
    let world = World::new();
    let plain = world
        .as_user("admin")
        .get("/trackers.json")
        .assert_status(200)
        .body;
    assert_eq!(
        plain,
        world
            .as_user("dave")
            .get("/trackers.json")
            .assert_status(200)
            .body
    );
    let full = world
        .as_user("admin")
        .get("/trackers.json?include=administration")
        .assert_status(200)
        .json_path("/trackers/1");
    assert_eq!(
        (&full["position"], &full["disabled_core_fields"]),
        (&json!(2), &json!([]))
    );
    world
        .as_user("dave")
        .get("/trackers.xml?include=administration")
        .assert_status(403);
}

#[test]
fn change_takes_effect_at_the_next_request() {
    let world = World::with_projects();
    let id = world.issue("open").subject("quokka").create();
    let change = json!({"tracker": {"name": "Defect", "disabled_core_fields": ["due_date"], "project_ids": [2]}});
    world
        .as_user("admin")
        .put("/trackers/1.json", change)
        .assert_status(200);
    let issue = world
        .as_user("alice")
        .get(&format!("/issues/{id}.json"))
        .assert_status(200)
        .json_path("/issue");
    assert_eq!(
        issue["tracker"]["name"], "Defect",
        "the issue keeps its tracker"
    );
    let dated = world
        .issue("secret")
        .field("tracker_id", 1)
        .field("due_date", "2026-12-01")
        .create();
    world
        .as_user("alice")
        .get(&format!("/issues/{dated}.json"))
        .assert_status(200)
        .assert_json_path("/issue/due_date", Value::Null);
    let search = world
        .as_user("alice")
        .get("/search.json?q=quokka")
        .assert_status(200)
        .json_path("/results/0/title");
    assert_eq!(search, "Defect #1 (New): quokka");
    let trackers = world
        .as_user("alice")
        .get("/projects/open.json?include=trackers")
        .assert_status(200)
        .array("/project/trackers");
    assert_eq!(trackers.len(), 2);
    let created = world.issue("open").create();
    world
        .as_user("alice")
        .get(&format!("/issues/{created}.json"))
        .assert_status(200)
        .assert_json_path("/issue/tracker/name", "Feature");
}

#[test]
fn tracker_in_use_cannot_be_deleted() {
    let world = World::with_projects();
    world.set(Setting::DefaultProjectsTrackerIds, "1,3");
    world.issue("secret").create();
    let refused = ["The tracker is in use and cannot be deleted: there are issues with it"];
    world
        .as_user("admin")
        .delete("/trackers/1.json")
        .assert_status(422)
        .assert_errors(&refused);
    world
        .as_user("admin")
        .delete("/trackers/3.json")
        .assert_status(204);
    assert_eq!(
        world
            .app
            .store
            .catalogue()
            .unwrap()
            .setting(Setting::DefaultProjectsTrackerIds),
        "1"
    );
    let trackers = world
        .as_user("alice")
        .get("/projects/open.json?include=trackers")
        .assert_status(200)
        .array("/project/trackers");
    assert_eq!(trackers.len(), 2);
}

#[test]
fn deleted_tracker_is_removed_from_the_limits_of_roles() {
    let world = World::with_projects();
    let limits = json!({
        "view_issues": [3], "add_issues": [1], "edit_issues": [2, 3], "add_issue_notes": [3], "delete_issues": [1, 3]
    });
    let body = json!({"role": {"permissions_tracker_ids": limits}});
    let admin = world.as_user("admin");
    admin.put("/roles/5.json", body).assert_status(200);
    admin.delete("/trackers/3.json").assert_status(204);
    let catalogue = world.app.store.catalogue().unwrap();
    let limits = &catalogue.role(RoleId(5)).unwrap().tracker_limits;
    for (permission, trackers) in [
        (Permission::ViewIssues, vec![]),
        (Permission::AddIssues, vec![1]),
        (Permission::EditIssues, vec![2]),
        (Permission::AddIssueNotes, vec![]),
        (Permission::DeleteIssues, vec![1]),
    ] {
        assert_eq!(limits[&permission].as_slice(), trackers, "{permission:?}");
    }
}

#[test]
fn invalid_trackers_are_refused() {
    let world = World::new();
    let cases = [
        (
            json!({}),
            vec!["Name cannot be blank", "Default status cannot be blank"],
        ),
        (
            json!({"name": "bug", "default_status_id": 1}),
            vec!["Name has already been taken"],
        ),
        (
            json!({"name": "A", "default_status_id": 99}),
            vec!["Default status is invalid"],
        ),
        (
            json!({"name": "A", "default_status_id": "x"}),
            vec!["Default status is invalid"],
        ),
        (
            json!({"name": "x".repeat(31), "default_status_id": 1, "description": "x".repeat(256), "position": 0}),
            vec![
                "Name is too long (maximum is 30 characters)",
                "Description is too long (maximum is 255 characters)",
                "Position must be 1 or more",
            ],
        ),
        (
            json!({"name": "A", "default_status_id": 1, "enabled_standard_fields": ["subject"], "disabled_core_fields": ["colour"]}),
            vec![
                "Enabled standard fields is invalid (unknown field subject)",
                "Disabled core fields is invalid (unknown field colour)",
            ],
        ),
        (
            json!({"name": "A", "default_status_id": 1, "custom_field_ids": [9], "project_ids": [9]}),
            vec!["Custom fields is invalid", "Projects is invalid"],
        ),
        (
            json!({"name": "A", "default_status_id": 1, "project_ids": {}}),
            vec!["Projects is invalid (a list of at most 1000 values is expected)"],
        ),
    ];
    for (fields, errors) in cases {
        create(&world, fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    update(
        &world,
        1,
        r#"{"tracker":{"name":"Other","default_status_id":null,"project_ids":[7]}}"#,
    )
    .assert_status(422)
    .assert_errors(&["Default status cannot be blank", "Projects is invalid"]);
    update(&world, 1, r#"{"tracker":1}"#).assert_status(400);
    update(&world, 1, "{").assert_status(400);
    assert_eq!(
        names(&world),
        ["Bug", "Feature", "Support"],
        "nothing is half done"
    );
}

fn assert_refused(client: Client<'_>, status: u16) {
    client.get("/trackers/1.json").assert_status(status);
    client
        .post("/trackers.json", json!({"tracker": {"name": 1}}))
        .assert_status(status);
    client
        .put("/trackers/1.xml", json!({"tracker": {"position": "x"}}))
        .assert_status(status);
    client.delete("/trackers/3.json").assert_status(status);
    client.delete("/trackers/99.json").assert_status(status);
}

#[test]
fn only_administrators_manage_trackers() {
    let world = World::new();
    assert_refused(world.as_user("alice"), 403);
    assert_refused(world.anonymous(), 401);
    for path in ["/trackers/99.json", "/trackers/x.json", "/trackers/-1.xml"] {
        world.as_user("admin").get(path).assert_status(404);
        world.as_user("admin").put(path, "{}").assert_status(404);
    }
    assert_eq!(names(&world).len(), 3);
}
