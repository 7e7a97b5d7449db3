//! `POST /projects` (compatibility 8)

use super::{custom_field, make, permit, world};
use axum::http::Method;
use quarry::domain::access::permission::Permission;
use quarry::domain::administration::custom_field::Customized;
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::RoleId;
use quarry_world::{Client, DEVELOPER, MANAGER, REPORTER, World, user};
use serde_json::{Value, json};

#[test]
fn create_returns_project_and_location() {
    let world = world();
    let response = world
        .as_user("alice")
        .post(
            "/projects.json",
            json!({"project": {"name": " New One ", "identifier": "new-one"}}),
        )
        .assert_status(201);
    assert_eq!(response.location(), "http://quarry.test/projects/3");
    let expected = json!({"id": 3, "name": " New One ", "identifier": "new-one", "description": null, "homepage": "", "status": 1,
        "is_public": true, "inherit_members": false, "created_on": "2026-11-20T12:00:00Z", "updated_on": "2026-11-20T12:00:00Z"});
    assert_eq!(response.json()["project"], expected);
    let around = world
        .as_user("alice")
        .get("/projects/3.json?include=trackers,enabled_modules")
        .assert_status(200)
        .json_path("/project");
    assert_eq!(
        (
            around["trackers"].as_array().unwrap().len(),
            around["enabled_modules"].as_array().unwrap().len()
        ),
        (3, 10)
    );
    assert_eq!(
        world.count_hits("dave", "one"),
        1,
        "what was answered is found"
    );
}

fn private_project(name: &str) -> Value {
    json!({"project": {"name": "x", "identifier": name, "is_public": false}})
}

fn roles_in(world: &World, login: &str, reference: &str) -> Option<Vec<RoleId>> {
    let catalogue = world.app.store.catalogue().unwrap();
    let project = catalogue.project_by(reference).unwrap().id;
    let member = catalogue
        .members
        .iter()
        .find(|member| member.project == project && member.principal == user(login).into());
    member.map(|member| member.role_ids().collect::<Vec<_>>())
}

#[test]
fn creator_becomes_member_unless_administrator() {
    let world = world();
    world
        .as_user("alice")
        .post("/projects.json", private_project("hers"))
        .assert_status(201);
    world
        .as_user("admin")
        .post("/projects.json", private_project("nobodys"))
        .assert_status(201);
    assert_eq!(
        (
            roles_in(&world, "alice", "hers"),
            roles_in(&world, "admin", "nobodys")
        ),
        (Some(vec![MANAGER]), None)
    );
    world.set(Setting::NewProjectUserRoleId, "4");
    world
        .as_user("alice")
        .post("/projects.json", private_project("other"))
        .assert_status(201);
    assert_eq!(roles_in(&world, "alice", "other"), Some(vec![DEVELOPER]));
}

fn names_in(project: &Value, list: &str) -> Vec<Value> {
    project[list]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["name"].clone())
        .collect::<Vec<_>>()
}

#[test]
fn create_accepts_all_fields() {
    let world = world();
    let cost = custom_field(&world, Customized::Project, "Cost center", |_| {});
    let body = json!({"project": {"name": "Full", "identifier": "full", "description": "d", "homepage": "http://x.y", "is_public": false,
        "parent_id": "1", "inherit_members": true, "tracker_ids": [2, "1"], "enabled_module_names": ["issue_tracking", "wiki", "forums", "nonsense"],
        "custom_field_values": {cost.to_string(): "CC-1", "99": "x"}, "default_assigned_to_id": 3,
        "id": 77, "status": 5, "created_on": "2001-01-01"}});
    world
        .as_user("admin")
        .post("/projects.json", body.to_string())
        .assert_status(201);
    let project = world
        .as_user("admin")
        .get("/projects/full.json?include=trackers,enabled_modules")
        .assert_status(200)
        .json_path("/project");
    assert_eq!(names_in(&project, "trackers"), ["Bug", "Feature"]);
    assert_eq!(
        names_in(&project, "enabled_modules"),
        ["issue_tracking", "wiki", "boards"]
    );
    assert_eq!(
        project["custom_fields"],
        json!([{"id": cost, "name": "Cost center", "value": "CC-1"}])
    );
    assert_eq!(
        project["default_assignee"],
        json!({"id": 3, "name": "bob Tester"})
    );
    assert_eq!(project["parent"], json!({"id": 1, "name": "open"}));
    assert_eq!(project["id"], 3);
    assert_eq!(project["status"], 1);
    assert_eq!(project["is_public"], false);
    world
        .as_user("carol")
        .get("/projects/full.json")
        .assert_status(200);
    world
        .as_user("dave")
        .get("/projects/full.json")
        .assert_status(403);
}

fn trackers(admin: &Client<'_>, path: &str) -> Value {
    admin
        .get(&format!("/projects/{path}.json?include=trackers"))
        .assert_status(200)
        .json_path("/project/trackers")
}

#[test]
fn create_accepts_forms_and_xml() {
    let world = world();
    let admin = world.as_user("admin");
    let form = b"project[name]=From+a+form&project[identifier]=form&project[tracker_ids][]=&project[tracker_ids][]=3".to_vec();
    admin
        .send(
            Method::POST,
            "/projects.json",
            Some("application/x-www-form-urlencoded"),
            form,
        )
        .assert_status(201);
    let xml = b"<project><name>X</name><identifier>xml</identifier><enabled_module_names type=\"array\"><m>issue_tracking</m></enabled_module_names>\
                <tracker_ids type=\"array\"><t>1</t></tracker_ids></project>";
    let response = admin
        .send(
            Method::POST,
            "/projects.xml",
            Some("application/xml"),
            xml.to_vec(),
        )
        .assert_status(201);
    assert!(
        response.body.contains(
            "<identifier>xml</identifier><description/><homepage></homepage><status>1</status>"
        ),
        "{}",
        response.body
    );
    assert_eq!(
        (trackers(&admin, "form"), trackers(&admin, "xml")),
        (
            json!([{"id": 3, "name": "Support"}]),
            json!([{"id": 1, "name": "Bug"}])
        )
    );
}

#[test]
fn missing_fields_default_to_settings() {
    let world = world();
    world.set(Setting::DefaultProjectsPublic, "0");
    world.set(Setting::DefaultProjectsModules, "wiki,issue_tracking");
    world.set(Setting::DefaultProjectsTrackerIds, "2");
    make(&world, "plain", json!({}));
    let project = world
        .as_user("admin")
        .get("/projects/plain.json?include=trackers,enabled_modules")
        .assert_status(200)
        .json_path("/project");
    assert_eq!(
        (
            project["is_public"].as_bool(),
            project["trackers"].as_array().unwrap().len()
        ),
        (Some(false), 1)
    );
    assert_eq!(project["enabled_modules"].as_array().unwrap().len(), 2);
}

fn errors(admin: &Client<'_>, fields: Value) -> Vec<String> {
    admin
        .post("/projects.json", json!({"project": fields}))
        .assert_status(422)
        .errors()
}

#[test]
fn validation_errors_are_listed_in_order() {
    let world = world();
    let admin = world.as_user("admin");
    assert_eq!(
        errors(&admin, json!({})),
        ["Name cannot be blank", "Identifier cannot be blank"]
    );
    assert_eq!(
        admin
            .post("/projects.json", json!({}))
            .assert_status(422)
            .errors()
            .len(),
        2
    );
    assert_eq!(
        errors(&admin, json!({"name": "x", "identifier": "open"})),
        ["Identifier has already been taken"]
    );
    assert_eq!(
        errors(&admin, json!({"name": "x", "identifier": "new"})),
        ["Identifier is reserved"]
    );
    for bad in ["1abc", "123", "Abc", "a b", "a.b", "é"] {
        assert_eq!(
            errors(&admin, json!({"name": "x", "identifier": bad})),
            ["Identifier is invalid"],
            "{bad}"
        );
    }
    let long = "x".repeat(256);
    assert_eq!(
        errors(&admin, json!({"name": long, "identifier": "a"})),
        ["Name is too long (maximum is 255 characters)"]
    );
    assert_eq!(
        errors(&admin, json!({"name": "x", "identifier": &long[..101]})),
        ["Identifier is too long (maximum is 100 characters)"]
    );
    assert_eq!(
        errors(
            &admin,
            json!({"name": "x", "identifier": "a", "homepage": long})
        ),
        ["Homepage is too long (maximum is 255 characters)"]
    );
    assert_eq!(
        errors(
            &admin,
            json!({"name": "x", "identifier": "a", "default_assigned_to_id": 99})
        ),
        ["Default assignee is invalid"]
    );
    assert_eq!(
        errors(
            &admin,
            json!({"name": "x", "identifier": "a", "default_version_id": 99})
        ),
        ["Default version is not included in the list"]
    );
    assert_eq!(
        errors(&admin, json!({"name": {"a": 1}, "identifier": "a"})).len(),
        1
    );
    assert_eq!(
        errors(&admin, json!({"name": "a\0b", "identifier": "a"})),
        ["Name is invalid (it contains a NUL character)"]
    );
    for path in ["/projects.json", "/projects.xml"] {
        admin
            .post(
                path,
                json!({"project": {"name": "x", "identifier": "a", "tracker_ids": [99]}}),
            )
            .assert_status(404);
        admin.post(path, json!({"project": "x"})).assert_status(400);
        admin.post(path, "{").assert_status(400);
    }
    assert_eq!(
        admin.get("/projects.json").assert_status(200).json()["total_count"],
        2,
        "what is refused leaves no trace"
    );
}

#[test]
fn create_requires_permission() {
    let world = world();
    let body = json!({"project": {"name": "x", "identifier": "x"}});
    for login in ["carol", "dave"] {
        world
            .as_user(login)
            .post("/projects.json", &body)
            .assert_status(403);
        world
            .as_user(login)
            .post(
                "/projects.xml",
                json!({"project": {"name": "x", "identifier": "x", "parent_id": 1}}),
            )
            .assert_status(403);
    }
    world
        .anonymous()
        .post("/projects.json", &body)
        .assert_status(401);
    permit(&world, &[Permission::AddSubprojects]);
    world
        .as_user("dave")
        .post("/projects.json", &body)
        .assert_status(403);
    let at_the_top = world
        .as_user("carol")
        .post("/projects.json", &body)
        .assert_status(422)
        .errors();
    assert_eq!(at_the_top, ["Subproject of is invalid"]);
    for parent in [json!(2), json!(99), json!(null), json!("")] {
        let elsewhere = json!({"project": {"name": "x", "identifier": "x", "parent_id": parent}});
        let errors = world
            .as_user("carol")
            .post("/projects.json", &elsewhere)
            .assert_status(422)
            .errors();
        assert_eq!(errors, ["Subproject of is invalid"], "{parent}");
    }
    let below = json!({"project": {"name": "x", "identifier": "x", "parent_id": 1, "is_public": false, "enabled_module_names": ["wiki"]}});
    world
        .as_user("dave")
        .post("/projects.json", &below)
        .assert_status(403);
    world
        .as_user("carol")
        .post("/projects.json", &below)
        .assert_status(201);
    world
        .as_user("dave")
        .get("/projects/x.json")
        .assert_status(403);
}

#[test]
fn fields_without_permission_keep_their_defaults() {
    let world = world();
    permit(&world, &[Permission::AddProject]);
    world.set(Setting::NewProjectUserRoleId, "5");
    let body = json!({"project": {"name": "x", "identifier": "x", "is_public": false, "enabled_module_names": ["wiki"]}});
    let project = world
        .as_user("carol")
        .post("/projects.json", &body)
        .assert_status(201)
        .json_path("/project");
    assert_eq!(project["is_public"], true);
    let around = world
        .as_user("carol")
        .get("/projects/x.json?include=enabled_modules")
        .assert_status(200)
        .json();
    assert_eq!(
        around["project"]["enabled_modules"]
            .as_array()
            .unwrap()
            .len(),
        10
    );
    assert_eq!(
        world
            .app
            .store
            .catalogue()
            .unwrap()
            .members
            .last()
            .unwrap()
            .role_ids()
            .collect::<Vec<_>>(),
        [REPORTER]
    );
}

fn create_once(world: &World) -> (u16, Vec<String>) {
    let response = world.as_user("admin").post(
        "/projects.json",
        json!({"project": {"name": "x", "identifier": "once"}}),
    );
    (response.status, response.errors())
}

#[test]
fn concurrent_creates_with_one_identifier_create_one_project() {
    let world = World::new();
    let statuses: Vec<(u16, Vec<String>)> = std::thread::scope(|scope| {
        let requested: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| create_once(&world)))
            .collect();
        requested
            .into_iter()
            .map(|requested| requested.join().unwrap())
            .collect()
    });
    assert_eq!(
        statuses.iter().filter(|response| response.0 == 201).count(),
        1,
        "{statuses:?}"
    );
    let taken = (422, vec!["Identifier has already been taken".to_owned()]);
    assert_eq!(
        statuses
            .iter()
            .filter(|response| **response == taken)
            .count(),
        7,
        "{statuses:?}"
    );
}
