//! Anonymous users write with the role Anonymous (compatibility 5), as the anonymous user that an
//! import brings along.

use quarry::domain::administration::setting::Setting;
use quarry_world::{Response, World};
use serde_json::{Value, json};

const ANONYMOUS: i64 = 90;

fn open_to_all(permissions: &[&str]) -> World {
    let world = World::with_projects();
    world.set(Setting::LoginRequired, "0");
    world.sql(&format!(
        "INSERT INTO users (id, type, lastname, created_on, updated_on) VALUES ({ANONYMOUS}, 'AnonymousUser', 'Anonymous', 0, 0)"
    ));
    for permission in permissions {
        world.sql(&format!(
            "INSERT INTO role_permissions (role_id, name) VALUES (2, '{permission}')"
        ));
    }
    world
}

fn issue_body(project: &str) -> Value {
    json!({"issue": {"project_id": project, "subject": "From outside", "is_private": true}})
}

#[test]
fn permitted_anonymous_user_creates_issue() {
    let world = open_to_all(&["add_issues"]);
    let issue = world
        .anonymous()
        .post("/issues.json", issue_body("open"))
        .assert_status(201)
        .json_path("/issue");
    assert_eq!(
        issue["author"],
        json!({"id": ANONYMOUS, "name": "Anonymous"})
    );
    assert_eq!(issue["is_private"], false);
    world
        .anonymous()
        .post("/issues.json", issue_body("secret"))
        .assert_status(422);
    let path = format!("/issues/{}.json", issue["id"]);
    world
        .anonymous()
        .put(&path, json!({"issue": {"notes": "and more"}}))
        .assert_status(401);
    world.anonymous().delete(&path).assert_status(401);
}

fn add_note(world: &World, id: i64) -> Response {
    world.anonymous().put(
        &format!("/issues/{id}.json"),
        json!({"issue": {"notes": "seen too", "subject": "Mine"}}),
    )
}

#[test]
fn permitted_anonymous_user_adds_note() {
    let world = open_to_all(&["add_issue_notes"]);
    let id = world.issue("open").create();
    let hidden = world.issue("secret").create();
    add_note(&world, id)
        .assert_status(200)
        .assert_json_path("/issue/subject", "A thing");
    let shown = world
        .as_user("alice")
        .get(&format!("/issues/{id}.json?include=journals,watchers"))
        .assert_status(200)
        .json_path("/issue");
    let entry = &shown["journals"][0];
    assert_eq!(entry["user"]["id"], ANONYMOUS);
    assert_eq!(entry["notes"], "seen too");
    assert_eq!(shown["watchers"], json!([]));
    add_note(&world, hidden).assert_status(401);
    world
        .anonymous()
        .post(
            "/issues.json",
            json!({"issue": {"project_id": "open", "subject": "x"}}),
        )
        .assert_status(401);
}
