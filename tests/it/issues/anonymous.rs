//! Whoever is not logged in writes with the role Anonymous (contract 3), in the name of the user whom a Redmine brings along for that.

use super::world;
use crate::world::World;
use quarry::domain::setting::Setting;

const ANONYMOUS: i64 = 90;

fn open_to_all(permissions: &[&str]) -> World {
    let world = world();
    world.set(Setting::LoginRequired, "0");
    world.sql(&format!(
        "INSERT INTO users (id, type, lastname, created_on, updated_on) VALUES ({ANONYMOUS}, 'AnonymousUser', 'Anonymous', 0, 0)"
    ));
    for permission in permissions {
        world.sql(&format!("INSERT INTO role_permissions (role_id, name) VALUES (2, '{permission}')"));
    }
    world
}

#[test]
fn with_the_permission_an_issue_is_written_by_anonymous() {
    let world = open_to_all(&["add_issues"]);
    let body = r#"{"issue":{"project_id":"open","subject":"From outside","is_private":true}}"#;
    let issue = world.anonymous().post("/issues.json", body).expect(201).json()["issue"].clone();
    assert_eq!(issue["author"], serde_json::json!({"id": ANONYMOUS, "name": "Anonymous"}));
    assert_eq!(issue["is_private"], false);
    let _ = world.anonymous().post("/issues.json", &body.replace("open", "secret")).expect(422);
    let path = format!("/issues/{}.json", issue["id"]);
    let _ = world.anonymous().put(&path, r#"{"issue":{"notes":"and more"}}"#).expect(401);
    let _ = world.anonymous().delete(&path).expect(401);
}

#[test]
fn with_the_permission_a_note_is_written_by_anonymous() {
    let world = open_to_all(&["add_issue_notes"]);
    let (id, hidden) = (world.issue("open", ""), world.issue("secret", ""));
    let put = |id: i64| world.anonymous().put(&format!("/issues/{id}.json"), r#"{"issue":{"notes":"seen too","subject":"Mine"}}"#);
    assert_eq!(put(id).expect(200).json()["issue"]["subject"], "A thing");
    let shown = world.as_user("alice").get(&format!("/issues/{id}.json?include=journals,watchers")).expect(200).json()["issue"].clone();
    let entry = &shown["journals"][0];
    assert_eq!((entry["user"]["id"].as_i64(), entry["notes"].as_str()), (Some(ANONYMOUS), Some("seen too")));
    assert_eq!(shown["watchers"], serde_json::json!([]));
    let _ = put(hidden).expect(401);
    let _ = world.anonymous().post("/issues.json", r#"{"issue":{"project_id":"open","subject":"x"}}"#).expect(401);
}
