//! Those whom nobody made: the anonymous user has a name, and the groups of everybody have their roles in public projects.

use super::loader::copy;
use super::world::import;
use crate::cli::process::{Service, quarry, told};
use serde_json::Value;
use std::path::Path;

/// What a service over this folder answers: the status and the body.
pub fn asked(data: &Path, path: &str, headers: &[&str]) -> (u16, Value) {
    let service = Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(data));
    let (status, body) = service.ask(path, headers);
    (status, serde_json::from_str(&body).unwrap_or_default())
}

fn ids(service: &Service, path: &str, headers: &[&str]) -> Vec<i64> {
    let (status, body) = service.ask(path, headers);
    assert_eq!(status, 200, "{body}");
    let body: Value = serde_json::from_str(&body).unwrap();
    body["issues"].as_array().unwrap().iter().map(|issue| issue["id"].as_i64().unwrap()).collect()
}

#[test]
fn what_nobody_wrote_is_by_anonymous() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (path, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "UPDATE issues SET author_id = 4, assigned_to_id = 4 WHERE id = 1; UPDATE journals SET user_id = 4 WHERE journalized_id = 1",
        )
        .unwrap();
    told(&import(&data, &format!("sqlite:{}", path.display()), &[]));
    let (status, body) = asked(&data, "/issues/1.json", &[]);
    assert_eq!(status, 200, "{body}");
    assert_eq!(body["issue"]["author"], serde_json::json!({"id": 4, "name": "Anonymous"}));
    assert_eq!(body["issue"]["assigned_to"], serde_json::json!({"id": 4, "name": "Anonymous"}));
}

#[test]
fn the_groups_of_everybody_have_their_roles_in_public_projects_alone() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (path, redmine) = copy(folder.path());
    // Group 2 is everybody who is not logged in, 3 everybody who is no member. Role 6 shows own issues only, 3 all of them.
    redmine
        .execute_batch(
            "INSERT INTO members (id, user_id, project_id, created_on) VALUES (801, 2, 1, '2026-01-01'), (802, 3, 1, '2026-01-01'), (803, 3, 2, '2026-01-01');
             INSERT INTO member_roles (member_id, role_id) VALUES (801, 6), (802, 3), (803, 3);
             UPDATE issues SET is_private = 1, author_id = 5, assigned_to_id = NULL WHERE id = 2;",
        )
        .unwrap();
    told(&import(&data, &format!("sqlite:{}", path.display()), &[]));
    let service = Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(&data));
    let dave = format!("X-Redmine-API-Key: {}", "4".repeat(40));
    // In the place of the built-in role: nobody's issues are seen by somebody who is nobody.
    assert_eq!(ids(&service, "/issues.json?project_id=1&subproject_id=!*&status_id=*&limit=100", &[]), [0_i64; 0]);
    // A stranger who is logged in sees the private ones too, as a manager does.
    let seen = ids(&service, "/issues.json?project_id=1&subproject_id=!*&status_id=*&limit=100", &[&dave]);
    assert!(seen.contains(&2) && seen.len() == 42, "{seen:?}");
    // Elsewhere things are as they were: a public project has the built-in role, a private one stays shut.
    assert_eq!(ids(&service, "/issues.json?project_id=7&status_id=*", &[]), [13]);
    assert_eq!(service.ask("/projects/2.json", &[&dave]).0, 403);
    // A member has the roles of a member: frank sees what is his own.
    let frank = format!("X-Redmine-API-Key: {}", "6".repeat(40));
    assert!(!ids(&service, "/issues.json?project_id=1&subproject_id=!*&status_id=*&limit=100", &[&frank]).contains(&2));
}
