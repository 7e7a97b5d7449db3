//! Builtin principals: the anonymous user has a name, and builtin groups have roles in public
//! projects.

use super::loader::copy;
use quarry_world::process::{Service, message, quarry};
use quarry_world::redmine_import::import;
use serde_json::Value;
use std::path::Path;

/// Sends a request to a service on this data directory and returns status and body.
pub fn requested(data: &Path, path: &str, headers: &[&str]) -> (u16, Value) {
    let service = Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(data));
    let (status, body) = service.get(path, headers);
    (status, serde_json::from_str(&body).unwrap_or_default())
}

fn ids(service: &Service, path: &str, headers: &[&str]) -> Vec<i64> {
    let (status, body) = service.get(path, headers);
    assert_eq!(status, 200, "{body}");
    let body: Value = serde_json::from_str(&body).unwrap();
    body["issues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["id"].as_i64().unwrap())
        .collect()
}

#[test]
fn records_without_author_belong_to_anonymous() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "UPDATE issues SET author_id = 4, assigned_to_id = 4 WHERE id = 1; UPDATE journals SET user_id = 4 WHERE journalized_id = 1",
        )
        .unwrap();
    message(&import(&data, &database, &[]));
    let (status, body) = requested(&data, "/issues/1.json", &[]);
    assert_eq!(status, 200, "{body}");
    assert_eq!(
        body["issue"]["author"],
        serde_json::json!({"id": 4, "name": "Anonymous"})
    );
    assert_eq!(
        body["issue"]["assigned_to"],
        serde_json::json!({"id": 4, "name": "Anonymous"})
    );
}

#[test]
fn builtin_groups_have_roles_in_public_projects_only() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    // Group 2 is Anonymous, 3 is Non member users. Role 6 shows own issues only, role 3 all.
    redmine
        .execute_batch(
            "INSERT INTO members (id, user_id, project_id, created_on) VALUES (801, 2, 1, '2026-01-01'), (802, 3, 1, '2026-01-01'), (803, 3, 2, '2026-01-01');
             INSERT INTO member_roles (member_id, role_id) VALUES (801, 6), (802, 3), (803, 3);
             UPDATE issues SET is_private = 1, author_id = 5, assigned_to_id = NULL WHERE id = 2;",
        )
        .unwrap();
    message(&import(&data, &database, &[]));
    let service = Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(&data));
    let dave = format!("X-Redmine-API-Key: {}", "4".repeat(40));
    // The role of the group replaces the builtin role: anonymous users see no own issues.
    assert_eq!(
        ids(
            &service,
            "/issues.json?project_id=1&subproject_id=!*&status_id=*&limit=100",
            &[]
        ),
        [0_i64; 0]
    );
    // A logged-in non-member sees private issues, like a manager.
    let seen = ids(
        &service,
        "/issues.json?project_id=1&subproject_id=!*&status_id=*&limit=100",
        &[&dave],
    );
    assert!(seen.contains(&2) && seen.len() == 42, "{seen:?}");
    // Other projects are unchanged: a public one uses the builtin role, a private one is hidden.
    assert_eq!(
        ids(&service, "/issues.json?project_id=7&status_id=*", &[]),
        [13]
    );
    assert_eq!(service.get("/projects/2.json", &[&dave]).0, 403);
    // Members have their own roles: frank sees his own issues.
    let frank = format!("X-Redmine-API-Key: {}", "6".repeat(40));
    assert!(
        !ids(
            &service,
            "/issues.json?project_id=1&subproject_id=!*&status_id=*&limit=100",
            &[&frank]
        )
        .contains(&2)
    );
}
