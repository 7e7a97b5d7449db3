//! `POST /projects` (contract 6)

use super::{custom_field, make, permit, world};
use crate::world::{DEVELOPER, MANAGER, REPORTER, World, user};
use axum::http::Method;
use quarry::domain::custom_field::Customized;
use quarry::domain::permission::Permission;
use quarry::domain::project::ProjectStatus;
use quarry::domain::setting::Setting;
use quarry::store::projects;
use serde_json::json;

#[test]
fn a_project_is_answered_with_its_address() {
    let world = world();
    let answer = world.as_user("alice").post("/projects.json", r#"{"project":{"name":" New One ","identifier":"new-one"}}"#).expect(201);
    assert_eq!(answer.location, "http://quarry.test/projects/3");
    let wanted = json!({"id": 3, "name": " New One ", "identifier": "new-one", "description": null, "homepage": "", "status": 1,
        "is_public": true, "inherit_members": false, "created_on": "2026-11-20T12:00:00Z", "updated_on": "2026-11-20T12:00:00Z"});
    assert_eq!(answer.json()["project"], wanted);
    let around = world.as_user("alice").get("/projects/3.json?include=trackers,enabled_modules").expect(200).json()["project"].clone();
    assert_eq!((around["trackers"].as_array().unwrap().len(), around["enabled_modules"].as_array().unwrap().len()), (3, 10));
    assert_eq!(super::found(&world, "dave", "one"), 1, "what was answered is found");
}

#[test]
fn whoever_makes_it_is_a_member_unless_an_administrator() {
    let world = world();
    let body = |name: &str| format!("{{\"project\":{{\"name\":\"x\",\"identifier\":\"{name}\",\"is_public\":false}}}}");
    let _ = world.as_user("alice").post("/projects.json", &body("hers")).expect(201);
    let _ = world.as_user("admin").post("/projects.json", &body("nobodys")).expect(201);
    let roles = |login: &str, reference: &str| {
        let catalogue = world.app.store.catalogue().unwrap();
        let project = catalogue.project_by(reference).unwrap().id;
        let member = catalogue.members.iter().find(|member| member.project == project && member.principal == user(login).into());
        member.map(|member| member.roles.clone())
    };
    assert_eq!((roles("alice", "hers"), roles("admin", "nobodys")), (Some(vec![MANAGER]), None));
    world.set(Setting::NewProjectUserRoleId, "4");
    let _ = world.as_user("alice").post("/projects.json", &body("other")).expect(201);
    assert_eq!(roles("alice", "other"), Some(vec![DEVELOPER]));
}

#[test]
fn everything_can_be_said() {
    let world = world();
    let cost = custom_field(&world, Customized::Project, "Cost center", |_| {});
    let body = json!({"project": {"name": "Full", "identifier": "full", "description": "d", "homepage": "http://x.y", "is_public": false,
        "parent_id": "1", "inherit_members": true, "tracker_ids": [2, "1"], "enabled_module_names": ["wiki", "forums", "nonsense"],
        "custom_field_values": {cost.to_string(): "CC-1", "99": "x"}, "default_assigned_to_id": 3,
        "id": 77, "status": 5, "created_on": "2001-01-01"}});
    let _ = world.as_user("admin").post("/projects.json", &body.to_string()).expect(201);
    let project = world.as_user("admin").get("/projects/full.json?include=trackers,enabled_modules").expect(200).json()["project"].clone();
    let names = |list: &str| project[list].as_array().unwrap().iter().map(|item| item["name"].clone()).collect::<Vec<_>>();
    assert_eq!(names("trackers"), ["Bug", "Feature"]);
    assert_eq!(names("enabled_modules"), ["wiki", "boards"]);
    assert_eq!(project["custom_fields"], json!([{"id": cost, "name": "Cost center", "value": "CC-1"}]));
    assert_eq!(project["default_assignee"], json!({"id": 3, "name": "bob Tester"}));
    assert_eq!(project["parent"], json!({"id": 1, "name": "open"}));
    assert_eq!((project["id"].as_i64(), project["status"].as_i64(), project["is_public"].as_bool()), (Some(3), Some(1), Some(false)));
    let _ = world.as_user("carol").get("/projects/full.json").expect(200);
    let _ = world.as_user("dave").get("/projects/full.json").expect(403);
}

#[test]
fn a_form_and_xml_do_the_same() {
    let world = world();
    let admin = world.as_user("admin");
    let form = b"project[name]=From+a+form&project[identifier]=form&project[tracker_ids][]=&project[tracker_ids][]=3".to_vec();
    let _ = admin.send(Method::POST, "/projects.json", Some("application/x-www-form-urlencoded"), form).expect(201);
    let xml = b"<project><name>X</name><identifier>xml</identifier><enabled_module_names type=\"array\"><m>wiki</m></enabled_module_names>\
                <tracker_ids type=\"array\"><t>1</t></tracker_ids></project>";
    let answer = admin.send(Method::POST, "/projects.xml", Some("application/xml"), xml.to_vec()).expect(201);
    assert!(answer.body.contains("<identifier>xml</identifier><description/><homepage></homepage><status>1</status>"), "{}", answer.body);
    let trackers =
        |path: &str| admin.get(&format!("/projects/{path}.json?include=trackers")).expect(200).json()["project"]["trackers"].clone();
    assert_eq!((trackers("form"), trackers("xml")), (json!([{"id": 3, "name": "Support"}]), json!([{"id": 1, "name": "Bug"}])));
}

#[test]
fn settings_say_what_is_not_said() {
    let world = world();
    world.set(Setting::DefaultProjectsPublic, "0");
    world.set(Setting::DefaultProjectsModules, "wiki,news");
    world.set(Setting::DefaultProjectsTrackerIds, "2");
    make(&world, "plain", "");
    let project = world.as_user("admin").get("/projects/plain.json?include=trackers,enabled_modules").expect(200).json()["project"].clone();
    assert_eq!((project["is_public"].as_bool(), project["trackers"].as_array().unwrap().len()), (Some(false), 1));
    assert_eq!(project["enabled_modules"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_wrong_is_named_in_its_order() {
    let world = world();
    let admin = world.as_user("admin");
    let errors = |fields: &str| admin.post("/projects.json", &format!("{{\"project\":{{{fields}}}}}")).expect(422).errors();
    assert_eq!(errors(""), ["Name cannot be blank", "Identifier cannot be blank"]);
    assert_eq!(admin.post("/projects.json", "{}").expect(422).errors().len(), 2);
    assert_eq!(errors(r#""name":"x","identifier":"open""#), ["Identifier has already been taken"]);
    assert_eq!(errors(r#""name":"x","identifier":"new""#), ["Identifier is reserved"]);
    for bad in ["1abc", "123", "Abc", "a b", "a.b", "é"] {
        assert_eq!(errors(&format!("\"name\":\"x\",\"identifier\":\"{bad}\"")), ["Identifier is invalid"], "{bad}");
    }
    let long = "x".repeat(256);
    assert_eq!(errors(&format!("\"name\":\"{long}\",\"identifier\":\"a\"")), ["Name is too long (maximum is 255 characters)"]);
    assert_eq!(
        errors(&format!("\"name\":\"x\",\"identifier\":\"{}\"", &long[..101])),
        ["Identifier is too long (maximum is 100 characters)"]
    );
    assert_eq!(
        errors(&format!("\"name\":\"x\",\"identifier\":\"a\",\"homepage\":\"{long}\"")),
        ["Homepage is too long (maximum is 255 characters)"]
    );
    assert_eq!(errors(r#""name":"x","identifier":"a","default_assigned_to_id":99"#), ["Default assignee is invalid"]);
    assert_eq!(errors(r#""name":"x","identifier":"a","default_version_id":99"#), ["Default version is not included in the list"]);
    assert_eq!(errors(r#""name":{"a":1},"identifier":"a""#).len(), 1);
    assert_eq!(errors(r#""name":"a\u0000b","identifier":"a""#), ["Name is invalid (it contains a NUL character)"]);
    for path in ["/projects.json", "/projects.xml"] {
        let _ = admin.post(path, r#"{"project":{"name":"x","identifier":"a","tracker_ids":[99]}}"#).expect(404);
        let _ = admin.post(path, r#"{"project":"x"}"#).expect(400);
        let _ = admin.post(path, "{").expect(400);
    }
    assert_eq!(admin.get("/projects.json").expect(200).json()["total_count"], 2, "what is refused leaves no trace");
}

#[test]
fn a_parent_must_be_active_and_open_to_the_viewer() {
    let world = world();
    let (closed, archived) = (world.project("closed", true, &[]), world.project("archived", true, &[]));
    world.write(move |db| projects::set_status(db, closed, ProjectStatus::Closed));
    world.write(move |db| projects::set_status(db, archived, ProjectStatus::Archived));
    let body = |parent: &str| format!("{{\"project\":{{\"name\":\"x\",\"identifier\":\"x\",\"parent_id\":{parent}}}}}");
    for parent in ["3", "4", "999", "\"open\"", "\"x\""] {
        let refused = world.as_user("admin").post("/projects.json", &body(parent)).expect(422);
        assert_eq!(refused.errors(), ["Subproject of is invalid"], "{parent}");
    }
    // Whether there is such a project makes no difference to somebody who cannot see it.
    permit(&world, &[Permission::AddProject]);
    let answers = ["2", "999"].map(|parent| world.as_user("carol").post("/projects.json", &body(parent)).expect(422).body);
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn rights_decide() {
    let world = world();
    let body = r#"{"project":{"name":"x","identifier":"x"}}"#;
    for login in ["carol", "dave"] {
        let _ = world.as_user(login).post("/projects.json", body).expect(403);
        let _ = world.as_user(login).post("/projects.xml", r#"{"project":{"name":"x","identifier":"x","parent_id":1}}"#).expect(403);
    }
    let _ = world.anonymous().post("/projects.json", body).expect(401);
    permit(&world, &[Permission::AddSubprojects]);
    let _ = world.as_user("carol").post("/projects.json", body).expect(403);
    let below = r#"{"project":{"name":"x","identifier":"x","parent_id":1,"is_public":false,"enabled_module_names":["wiki"]}}"#;
    let _ = world.as_user("dave").post("/projects.json", below).expect(403);
    let _ = world.as_user("carol").post("/projects.json", below).expect(201);
    let _ = world.as_user("dave").get("/projects/x.json").expect(403);
}

#[test]
fn what_needs_another_permission_is_left_at_its_default() {
    let world = world();
    permit(&world, &[Permission::AddProject]);
    world.set(Setting::NewProjectUserRoleId, "5");
    let body = r#"{"project":{"name":"x","identifier":"x","is_public":false,"enabled_module_names":["wiki"]}}"#;
    let project = world.as_user("carol").post("/projects.json", body).expect(201).json()["project"].clone();
    assert_eq!(project["is_public"], true);
    let around = world.as_user("carol").get("/projects/x.json?include=enabled_modules").expect(200).json();
    assert_eq!(around["project"]["enabled_modules"].as_array().unwrap().len(), 10);
    assert_eq!(world.app.store.catalogue().unwrap().members.last().unwrap().roles, [REPORTER]);
}

#[test]
fn custom_fields_are_judged() {
    let world = world();
    let cost = custom_field(&world, Customized::Project, "Cost center", |field| (field.required, field.longest) = (true, Some(4)));
    let hidden =
        custom_field(&world, Customized::Project, "Hidden", |field| (field.visible, field.default) = (false, Some("z".to_owned())));
    let post = |login: &str, identifier: &str, values: &str| {
        let body = format!("{{\"project\":{{\"name\":\"x\",\"identifier\":\"{identifier}\",\"custom_fields\":[{values}]}}}}");
        world.as_user(login).post("/projects.json", &body)
    };
    assert_eq!(post("admin", "a", "").expect(422).errors(), ["Cost center cannot be blank"]);
    let long = json!({"id": cost, "value": "12345"}).to_string();
    assert_eq!(post("admin", "a", &long).expect(422).errors(), ["Cost center is too long (maximum is 4 characters)"]);
    let both = format!("{},{}", json!({"id": cost, "value": "1"}), json!({"id": hidden, "value": "seen"}));
    let fields = post("alice", "a", &both).expect(201).json()["project"]["custom_fields"].clone();
    assert_eq!(fields, json!([{"id": cost, "name": "Cost center", "value": "1"}]));
    let fields = world.as_user("admin").get("/projects/a.json").expect(200).json()["project"]["custom_fields"].clone();
    assert_eq!(fields[1], json!({"id": hidden, "name": "Hidden", "value": "z"}));
}

#[test]
fn one_identifier_is_given_once_however_many_ask_for_it() {
    let world = World::new();
    let statuses: Vec<(u16, Vec<String>)> = std::thread::scope(|scope| {
        let ask = |_| {
            let answer = world.as_user("admin").post("/projects.json", r#"{"project":{"name":"x","identifier":"once"}}"#);
            (answer.status, answer.errors())
        };
        let asked: Vec<_> = (0..8).map(|n| scope.spawn(move || ask(n))).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|answer| answer.0 == 201).count(), 1, "{statuses:?}");
    let taken = (422, vec!["Identifier has already been taken".to_owned()]);
    assert_eq!(statuses.iter().filter(|answer| **answer == taken).count(), 7, "{statuses:?}");
}
