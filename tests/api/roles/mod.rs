//! `/roles`, `/roles/:id` (compatibility 14)

mod permissions;

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::{Client, Response, World};
use serde_json::{Value, json};

fn create(world: &World, fields: Value) -> Response {
    world
        .as_user("admin")
        .post("/roles.json", json!({ "role": fields }))
}

fn update(world: &World, id: i64, fields: Value) -> Response {
    world
        .as_user("admin")
        .put(&format!("/roles/{id}.json"), json!({ "role": fields }))
}

fn names(world: &World) -> Vec<String> {
    world
        .as_user("dave")
        .get("/roles.json")
        .assert_status(200)
        .texts("/roles", "name")
}

#[test]
fn role_is_created_shown_updated_and_deleted() {
    let world = World::new();
    let fields = json!({
        "name": " Tester ", "position": 1, "assignable": false, "permissions": ["view_issues", "edit_issues"],
        "issues_visibility": "own", "time_entries_visibility": "own", "users_visibility": "members_of_visible_projects",
        "managed_role_ids": [4, 5], "permissions_tracker_ids": {"edit_issues": [2], "view_issues": []}
    });
    let created = create(&world, fields).assert_status(201);
    assert_eq!(created.location(), "http://quarry.test/roles/6");
    let everybody = r#"{"id":6,"name":"Tester","assignable":false,"issues_visibility":"own","time_entries_visibility":"own","users_visibility":"members_of_visible_projects","permissions":["view_issues","edit_issues"]"#;
    let shown = format!(
        "{{\"role\":{everybody},{}}}}}",
        r#""position":1,"builtin":null,"all_roles_managed":false,"managed_roles":[{"id":4,"name":"Developer"},{"id":5,"name":"Reporter"}],"permissions_trackers":{"view_issues":[],"edit_issues":[{"id":2,"name":"Feature"}]}"#
    );
    assert_eq!(created.body, shown);
    assert_eq!(
        world
            .as_user("admin")
            .get("/roles/6.json?include=administration")
            .assert_status(200)
            .body,
        shown
    );
    assert_eq!(
        world
            .as_user("admin")
            .get("/roles/6.json")
            .assert_status(200)
            .body,
        format!("{{\"role\":{everybody}}}}}")
    );
    assert_eq!(
        names(&world),
        ["Tester", "Manager", "Developer", "Reporter"]
    );
    let body = b"<role><name>Checker</name><position>3</position><all_roles_managed>true</all_roles_managed><permissions type=\"array\"><permission>view_issues</permission></permissions><permissions_tracker_ids><view_issues type=\"array\"><id>1</id></view_issues></permissions_tracker_ids></role>";
    let xml = world
        .as_user("admin")
        .send(
            Method::PUT,
            "/roles/6.xml",
            Some("application/xml"),
            body.to_vec(),
        )
        .assert_status(200)
        .body;
    let end = "<permissions type=\"array\"><permission>view_issues</permission></permissions><position>3</position><builtin/><all_roles_managed>true</all_roles_managed><managed_roles type=\"array\"></managed_roles><permissions_trackers><view_issues type=\"array\"><tracker id=\"1\" name=\"Bug\"/></view_issues></permissions_trackers></role>";
    assert!(
        xml.ends_with(end) && xml.contains("<name>Checker</name>"),
        "{xml}"
    );
    assert_eq!(
        names(&world),
        ["Manager", "Developer", "Checker", "Reporter"]
    );
    update(&world, 6, json!({}))
        .assert_status(200)
        .assert_json_path("/role/permissions_trackers/view_issues/0/id", 1);
    update(&world, 6, json!({"permissions_tracker_ids": null}))
        .assert_status(200)
        .assert_json_path("/role/permissions_trackers", json!({}));
    assert_eq!(
        world
            .as_user("admin")
            .delete("/roles/6.json")
            .assert_status(204)
            .body,
        ""
    );
    world
        .as_user("admin")
        .delete("/roles/6.json")
        .assert_status(404);
    assert_eq!(names(&world), ["Manager", "Developer", "Reporter"]);
}

#[test]
fn lists_show_builtin_roles_to_administrators_on_request_only() {
    let world = World::new();
    let plain = world
        .as_user("admin")
        .get("/roles.json")
        .assert_status(200)
        .body;
    assert_eq!(
        plain,
        world
            .as_user("dave")
            .get("/roles.json")
            .assert_status(200)
            .body
    );
    let roles = world
        .as_user("admin")
        .get("/roles.json?include=administration")
        .assert_status(200)
        .array("/roles");
    let builtin: Vec<(&str, &Value)> = roles
        .iter()
        .map(|role| (role["name"].as_str().unwrap(), &role["builtin"]))
        .collect();
    let [non_member, anonymous] = [json!("non_member"), json!("anonymous")];
    let none = Value::Null;
    let expected = [
        ("Manager", &none),
        ("Developer", &none),
        ("Reporter", &none),
        ("Non member", &non_member),
        ("Anonymous", &anonymous),
    ];
    assert_eq!(builtin, expected);
    for path in [
        "/roles.json?include=administration",
        "/roles/3.xml?include=administration",
    ] {
        world.as_user("dave").get(path).assert_status(403);
        world.anonymous().get(path).assert_status(401);
    }
}

#[test]
fn role_in_use_cannot_be_deleted() {
    let world = World::with_projects();
    world.set(Setting::NewProjectUserRoleId, "5");
    let refused = ["The role is in use and cannot be deleted: there are members with it"];
    world
        .as_user("admin")
        .delete("/roles/5.json")
        .assert_status(422)
        .assert_errors(&refused);
    world.sql("DELETE FROM member_roles WHERE role_id = 5");
    world
        .as_user("admin")
        .delete("/roles/5.json")
        .assert_status(204);
    assert_eq!(
        world
            .app
            .store
            .catalogue()
            .unwrap()
            .setting(Setting::NewProjectUserRoleId),
        "0"
    );
    assert_eq!(names(&world), ["Manager", "Developer"]);
}

#[test]
fn builtin_roles_keep_name_and_existence() {
    let world = World::new();
    for id in [1, 2] {
        let delete = world.as_user("admin").delete(&format!("/roles/{id}.json"));
        delete
            .assert_status(422)
            .assert_errors(&["Builtin roles cannot be deleted"]);
        let fields =
            json!({"name": "Guest", "position": 3, "assignable": true, "managed_role_ids": [3]});
        let labels = ["Name", "Position", "Assignable", "Managed roles"];
        let errors = labels.map(|label| format!("{label} cannot be changed for a builtin role"));
        update(&world, id, fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    update(
        &world,
        1,
        json!({"name": "Non member", "permissions": ["view_issues", "log_time"]}),
    )
    .assert_status(200);
    update(&world, 1, json!({"issues_visibility": "all"})).assert_status(200);
    let errors = ["Permissions is invalid (this builtin role cannot have edit_project)"];
    update(&world, 1, json!({"permissions": ["edit_project"]}))
        .assert_status(422)
        .assert_errors(&errors);
    let errors = [
        "Issues visibility is not possible for the role Anonymous",
        "Permissions is invalid (this builtin role cannot have log_time)",
    ];
    let fields = json!({"issues_visibility": "all", "permissions": ["view_issues", "log_time"]});
    update(&world, 2, fields)
        .assert_status(422)
        .assert_errors(&errors);
}

fn put_text(world: &World, body: &str) -> Response {
    world.as_user("admin").put("/roles/5.json", body)
}

#[test]
fn invalid_roles_are_refused() {
    let world = World::new();
    let cases = [
        (json!({}), vec!["Name cannot be blank"]),
        (
            json!({"name": "manager"}),
            vec!["Name has already been taken"],
        ),
        (
            json!({"name": "anonymous"}),
            vec!["Name has already been taken"],
        ),
        (
            json!({"name": "x".repeat(256), "position": 0}),
            vec![
                "Name is too long (maximum is 255 characters)",
                "Position must be 1 or more",
            ],
        ),
        (
            json!({"name": "A", "permissions": ["fly"]}),
            vec!["Permissions is invalid (unknown permission fly)"],
        ),
        (
            json!({"name": "A", "permissions": {}}),
            vec!["Permissions is invalid (a list of at most 1000 values is expected)"],
        ),
        (
            json!({"name": "A", "issues_visibility": "some", "time_entries_visibility": "", "users_visibility": "none"}),
            vec![
                "Issues visibility is not included in the list",
                "Time entries visibility is not included in the list",
                "Users visibility is not included in the list",
            ],
        ),
        (
            json!({"name": "A", "managed_role_ids": [3, 99]}),
            vec!["Managed roles is invalid"],
        ),
        (
            json!({"name": "A", "managed_role_ids": [1]}),
            vec!["Managed roles is invalid"],
        ),
        (
            json!({"name": "A", "permissions_tracker_ids": {"add_issues": [99], "edit_project": [1]}}),
            vec![
                "Permissions tracker ids is invalid (add_issues has an unknown tracker)",
                "Permissions tracker ids is invalid (edit_project cannot be limited to trackers)",
            ],
        ),
        (
            json!({"name": "A", "permissions_tracker_ids": [1]}),
            vec!["Permissions tracker ids is invalid (an object with lists of ids is expected)"],
        ),
        (
            json!({"name": "A", "permissions_tracker_ids": {"add_issues": {"a": 1}}}),
            vec![
                "Permissions tracker ids of add_issues is invalid (a list of at most 1000 values is expected)",
            ],
        ),
    ];
    for (fields, errors) in cases {
        create(&world, fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    put_text(&world, r#"{"role":{"name":"Other","permissions":["fly"]}}"#).assert_status(422);
    put_text(&world, r#"{"role":1}"#).assert_status(400);
    put_text(&world, "{").assert_status(400);
    assert_eq!(
        names(&world),
        ["Manager", "Developer", "Reporter"],
        "nothing is half done"
    );
}

fn assert_refused(client: Client<'_>, status: u16) {
    client
        .post("/roles.json", json!({"role": {"name": 1}}))
        .assert_status(status);
    client
        .put("/roles/3.xml", json!({"role": {"position": "x"}}))
        .assert_status(status);
    client.delete("/roles/5.json").assert_status(status);
    client.delete("/roles/99.json").assert_status(status);
}

#[test]
fn only_administrators_manage_roles() {
    let world = World::with_projects();
    assert_refused(world.as_user("alice"), 403);
    assert_refused(world.anonymous(), 401);
    for path in ["/roles/99.json", "/roles/x.json", "/roles/-1.xml"] {
        world.as_user("admin").get(path).assert_status(404);
        world.as_user("admin").put(path, "{}").assert_status(404);
        world.as_user("admin").delete(path).assert_status(404);
    }
    assert_eq!(names(&world).len(), 3);
}
