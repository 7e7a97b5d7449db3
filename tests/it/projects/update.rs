//! `PUT /projects/:id` (contract 6)

use super::{custom_field, found, make, permit, world};
use crate::world::{MANAGER, REPORTER, World, user};
use axum::http::Method;
use quarry::domain::custom_field::Customized;
use quarry::domain::permission::Permission;
use quarry::domain::setting::Setting;
use quarry::store::{roles, versions};
use serde_json::{Value, json};

fn put(world: &World, login: &str, reference: &str, fields: &str) -> Value {
    let body = format!("{{\"project\":{{{fields}}}}}");
    world.as_user(login).put(&format!("/projects/{reference}.json"), &body).expect(200).json()["project"].clone()
}

#[test]
fn a_change_answers_the_project_as_it_is_then() {
    let world = world();
    let project = put(&world, "alice", "open", r#""name":"Zeppelins","description":"of lead","homepage":"abc","inherit_members":true"#);
    assert_eq!((project["name"].as_str(), project["description"].as_str()), (Some("Zeppelins"), Some("of lead")));
    assert_eq!((project["homepage"].as_str(), project["inherit_members"].as_bool()), (Some("abc"), Some(true)));
    assert_eq!(found(&world, "dave", "zeppelins"), 1, "the index has the new name");
    let project = put(&world, "alice", "1", r#""description":null,"identifier":"other","status":5,"id":9,"created_on":"2001-01-01""#);
    assert_eq!((project["identifier"].as_str(), project["status"].as_i64(), project["id"].as_i64()), (Some("open"), Some(1), Some(1)));
    assert!(project["description"].is_null());
}

#[test]
fn xml_does_the_same_and_to_the_letter_the_answer_is_204() {
    let world = world();
    let alice = world.as_user("alice");
    let xml = b"<project><description>xml d</description></project>".to_vec();
    let answer = alice.send(Method::PATCH, "/projects/open.xml", Some("application/xml"), xml).expect(200);
    assert!(answer.body.contains("<description>xml d</description>"), "{}", answer.body);
    world.set(Setting::RedmineCompatibility, "1");
    let answer = alice.put("/projects/open.json", r#"{"project":{"name":"x"}}"#).expect(204);
    assert_eq!(answer.body, "");
}

#[test]
fn modules_and_trackers_are_replaced() {
    let world = world();
    let around =
        || world.as_user("alice").get("/projects/open.json?include=trackers,enabled_modules").expect(200).json()["project"].clone();
    let before = around();
    put(&world, "alice", "open", r#""enabled_module_names":["wiki","forums"],"tracker_ids":[1]"#);
    let after = around();
    assert_eq!(after["trackers"], json!([{"id": 1, "name": "Bug"}]));
    let kept: Vec<&Value> = before["enabled_modules"].as_array().unwrap().iter().collect();
    let kept: Vec<Value> =
        kept.into_iter().filter(|module| ["wiki", "boards"].contains(&module["name"].as_str().unwrap())).cloned().collect();
    assert_eq!(after["enabled_modules"], json!(kept), "what stays keeps its number");
    put(&world, "alice", "open", r#""enabled_module_names":[],"tracker_ids":[]"#);
    assert_eq!((around()["trackers"].clone(), around()["enabled_modules"].clone()), (json!([]), json!([])));
    let _ = world.as_user("alice").get("/projects/open/issues.json").expect(403);
    let _ = world.as_user("alice").put("/projects/open.json", r#"{"project":{"tracker_ids":[1,99]}}"#).expect(404);
    assert_eq!(around()["trackers"], json!([]));
}

#[test]
fn a_project_moves_in_the_tree_but_never_below_itself() {
    let world = world();
    make(&world, "child", ",\"parent_id\":1");
    let refused = |login: &str, reference: &str, parent: &str| {
        let body = format!("{{\"project\":{{\"parent_id\":{parent}}}}}");
        assert_eq!(
            world.as_user(login).put(&format!("/projects/{reference}.json"), &body).expect(422).errors(),
            ["Subproject of is invalid"]
        );
    };
    refused("alice", "open", "1");
    refused("alice", "open", "3");
    refused("alice", "open", "999");
    assert_eq!(put(&world, "alice", "open", "\"parent_id\":2")["parent"], json!({"id": 2, "name": "secret"}));
    assert!(world.as_user("dave").get("/projects/open.json").expect(200).json()["project"].get("parent").is_none());
    assert!(put(&world, "alice", "open", "\"parent_id\":\"\"").get("parent").is_none());
    permit(&world, &[Permission::EditProject]);
    refused("carol", "open", "2");
    put(&world, "admin", "open", "\"parent_id\":2");
    refused("carol", "open", "2");
    assert!(put(&world, "carol", "open", "\"parent_id\":\"\"").get("parent").is_none(), "to her there is none");
    assert_eq!(put(&world, "admin", "open", "")["parent"]["id"], 2, "and it stays");
    assert_eq!(put(&world, "carol", "open", "\"name\":\"n\"")["name"], "n", "what is not asked for is not judged");
}

#[test]
fn versions_that_are_shared_no_more_are_given_up() {
    let world = world();
    make(&world, "child", ",\"parent_id\":1");
    let now = world.app.clock.now();
    let version = world.write(move |db| versions::insert(db, 1.into(), "1.0", "open", None, now));
    super::share(&world, version, "descendants");
    let body = format!("{{\"issue\":{{\"project_id\":3,\"subject\":\"x\",\"fixed_version_id\":{version}}}}}");
    let _ = world.as_user("admin").post("/issues.json", &body).expect(201);
    let planned = || world.as_user("admin").get("/issues/1.json").expect(200).json()["issue"].get("fixed_version").is_some();
    assert!(planned());
    put(&world, "admin", "child", "\"name\":\"still there\"");
    assert!(planned());
    put(&world, "admin", "child", "\"parent_id\":\"\"");
    assert!(!planned());
}

#[test]
fn defaults_of_issues_are_shown_to_those_who_may_know_them() {
    let world = world();
    let now = world.app.clock.now();
    let version = world.write(move |db| versions::insert(db, 2.into(), "Hidden 1.0", "open", None, now));
    let project = put(&world, "alice", "open", &format!("\"default_version_id\":{version},\"default_assigned_to_id\":2"));
    assert_eq!(project["default_version"], json!({"id": version.0, "name": "Hidden 1.0"}));
    assert_eq!(project["default_assignee"], json!({"id": 2, "name": "alice Tester"}));
    assert!(!world.as_user("carol").get("/projects/open.json").expect(200).body.contains("Hidden"));
    permit(&world, &[Permission::EditProject]);
    // Whether there is such a version, and whether it is the one, makes no difference to somebody who cannot see it.
    let answers = [version.0, 99].map(|id| {
        let body = format!("{{\"project\":{{\"default_version_id\":{id},\"name\":\"y\"}}}}");
        world.as_user("carol").put("/projects/open.json", &body).expect(422).body
    });
    assert_eq!(answers[0], answers[1]);
    let refused = world.as_user("alice").put("/projects/open.json", r#"{"project":{"default_assigned_to_id":5}}"#).expect(422);
    assert_eq!(refused.errors(), ["Default assignee is invalid"]);
    assert!(put(&world, "alice", "open", r#""default_version_id":"","default_assigned_to_id":null"#).get("default_version").is_none());
}

#[test]
fn what_changes_nothing_leaves_no_trace_and_what_is_wrong_neither() {
    let world = world();
    let cost = custom_field(&world, Customized::Project, "Cost center", |field| field.required = true);
    let last = world.app.store.last_change();
    let before = put(&world, "alice", "open", "");
    for body in ["{}", r#"{"project":null}"#, r#"{"project":{"name":"open","tracker_ids":[1,2,3],"is_public":1}}"#] {
        assert_eq!(world.as_user("alice").put("/projects/open.json", body).expect(200).json()["project"], before, "{body}");
    }
    let put = |body: &str| world.as_user("alice").put("/projects/open.json", body);
    assert_eq!(put(r#"{"project":{"name":"","description":"half"}}"#).expect(422).errors(), ["Name cannot be blank"]);
    let _ = put("{").expect(400);
    let _ = put(r#"{"project":["x"]}"#).expect(400);
    assert_eq!(world.as_user("alice").get("/projects/open.json").expect(200).json()["project"], before);
    assert_eq!(world.app.store.last_change(), last);
    let given = put(&format!("{{\"project\":{{\"custom_fields\":[{{\"id\":{cost},\"value\":\"x\"}}]}}}}")).expect(200).json()["project"]["custom_fields"][0].clone();
    assert_eq!(given["value"], "x");
    assert_eq!(
        put(&format!("{{\"project\":{{\"custom_field_values\":{{\"{cost}\":\"\"}}}}}}")).expect(422).errors(),
        ["Cost center cannot be blank"]
    );
}

#[test]
fn issues_get_the_custom_fields_that_are_chosen_for_them() {
    let world = world();
    let severity = custom_field(&world, Customized::Issue, "Severity", |field| field.everywhere = false);
    let secret = custom_field(&world, Customized::Issue, "Secret", |field| (field.everywhere, field.visible) = (false, false));
    permit(&world, &[Permission::EditProject]);
    let include = |login: &str| {
        world.as_user(login).get("/projects/open.json?include=issue_custom_fields").expect(200).json()["project"]["issue_custom_fields"]
            .clone()
    };
    put(&world, "admin", "open", &format!("\"issue_custom_field_ids\":[{severity},{secret}]"));
    assert_eq!(include("admin"), json!([{"id": severity, "name": "Severity"}, {"id": secret, "name": "Secret"}]));
    assert_eq!(include("carol"), json!([{"id": severity, "name": "Severity"}]));
    put(&world, "carol", "open", "\"issue_custom_field_ids\":[]");
    assert_eq!(include("admin"), json!([{"id": secret, "name": "Secret"}]), "what she cannot see stays");
    let refused =
        |id: i64| world.as_user("carol").put("/projects/open.json", &format!("{{\"project\":{{\"issue_custom_field_ids\":[{id}]}}}}"));
    assert_eq!(refused(secret).expect(404).body, refused(99).expect(404).body);
}

#[test]
fn rights_decide() {
    let world = world();
    let body = r#"{"project":{"name":"x"}}"#;
    let put = |login: &str, path: &str| world.as_user(login).put(path, body);
    let _ = put("carol", "/projects/open.json").expect(403);
    let _ = put("dave", "/projects/open.xml").expect(403);
    let _ = put("dave", "/projects/secret.json").expect(403);
    let _ = put("dave", "/projects/missing.json").expect(404);
    let _ = world.anonymous().put("/projects/open.json", body).expect(401);
    let closed = world.project("closed", true, &[("alice", MANAGER)]);
    for (state, code) in [("close", 204), ("archive", 204)] {
        let _ = world.as_user("admin").put(&format!("/projects/{closed}/{state}.json"), "").expect(code);
        for login in ["alice", "admin"] {
            let _ = put(login, "/projects/closed.json").expect(403);
        }
    }
    permit(&world, &[Permission::EditProject]);
    let project =
        world.as_user("carol").put("/projects/open.json", r#"{"project":{"name":"y","is_public":false,"enabled_module_names":[]}}"#);
    let project = project.expect(200).json()["project"].clone();
    assert_eq!((project["name"].as_str(), project["is_public"].as_bool()), (Some("y"), Some(true)));
    let _ = world.as_user("carol").get("/projects/open/issues.json").expect(200);
}

#[test]
fn the_members_above_come_in_only_by_somebody_who_knows_what_is_above() {
    let world = world();
    let below = make(&world, "below", ",\"parent_id\":2");
    permit(&world, &[Permission::EditProject]);
    let now = world.app.clock.now();
    world.write(move |db| roles::add_member(db, below.into(), user("carol").into(), &[REPORTER], now));
    let _ = world.as_user("carol").get("/projects/secret.json").expect(403);
    assert_eq!(put(&world, "carol", "below", r#""inherit_members":true"#)["inherit_members"], false);
    assert_eq!(put(&world, "admin", "below", r#""inherit_members":true"#)["inherit_members"], true);
}
