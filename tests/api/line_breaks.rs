//! Texts of one line, such as subjects, cannot contain line breaks, which would begin another header in a mail.

use axum::http::Method;
use quarry_world::World;
use serde_json::{Value, json};

const TEXTS: [&str; 3] = ["one\ntwo", "one\r\nBcc: all@example.org", "one\rtwo"];

#[test]
fn subjects_names_and_titles_have_no_line_breaks() {
    let world = World::with_projects();
    world.issue("open").create();
    let admin = world.as_user("admin");
    let send = |method: Method, path: &str, body: Value| {
        let body = body.to_string().into_bytes();
        admin.send(method, path, Some("application/json"), body)
    };
    type Request = (Method, &'static str, fn(&str) -> Value);
    let requests: [Request; 23] = [
        (
            Method::POST,
            "/issues.json",
            |text| json!({"issue": {"project_id": 1, "subject": text}}),
        ),
        (
            Method::PUT,
            "/issues/1.json",
            |text| json!({"issue": {"subject": text}}),
        ),
        (
            Method::POST,
            "/projects.json",
            |text| json!({"project": {"name": text, "identifier": "x"}}),
        ),
        (
            Method::PUT,
            "/projects/open.json",
            |text| json!({"project": {"name": text}}),
        ),
        (
            Method::POST,
            "/projects/open/versions.json",
            |text| json!({"version": {"name": text}}),
        ),
        (
            Method::POST,
            "/projects/open/issue_categories.json",
            |text| json!({"issue_category": {"name": text}}),
        ),
        (
            Method::POST,
            "/projects/open/news.json",
            |text| json!({"news": {"title": text, "description": "d"}}),
        ),
        (
            Method::POST,
            "/projects/open/documents.json",
            |text| json!({"document": {"title": text, "category_id": 8}}),
        ),
        (
            Method::POST,
            "/projects/open/boards.json",
            |text| json!({"board": {"name": text, "description": "d"}}),
        ),
        (
            Method::POST,
            "/groups.json",
            |text| json!({"group": {"name": text}}),
        ),
        (
            Method::POST,
            "/roles.json",
            |text| json!({"role": {"name": text}}),
        ),
        (
            Method::POST,
            "/trackers.json",
            |text| json!({"tracker": {"name": text, "default_status_id": 1}}),
        ),
        (
            Method::POST,
            "/issue_statuses.json",
            |text| json!({"issue_status": {"name": text}}),
        ),
        (
            Method::POST,
            "/enumerations/issue_priorities.json",
            |text| json!({"issue_priority": {"name": text}}),
        ),
        (
            Method::POST,
            "/custom_fields.json",
            |text| json!({"custom_field": {"name": text, "customized_type": "issue", "field_format": "string"}}),
        ),
        (
            Method::POST,
            "/queries.json",
            |text| json!({"query": {"name": text}}),
        ),
        (
            Method::POST,
            "/users.json",
            |text| json!({"user": {"login": "x", "firstname": text, "lastname": "x", "mail": "x@example.org", "password": "a-long-password"}}),
        ),
        (
            Method::POST,
            "/users.json",
            |text| json!({"user": {"login": "x", "firstname": "x", "lastname": text, "mail": "x@example.org", "password": "a-long-password"}}),
        ),
        (
            Method::POST,
            "/users.json",
            |text| json!({"user": {"login": text, "firstname": "x", "lastname": "x", "mail": "x@example.org", "password": "a-long-password"}}),
        ),
        (
            Method::POST,
            "/users.json",
            |text| json!({"user": {"login": "x", "firstname": "x", "lastname": "x", "mail": format!("x@example.org{text}"), "password": "a-long-password"}}),
        ),
        (
            Method::PUT,
            "/my/account.json",
            |text| json!({"user": {"firstname": text}}),
        ),
        (
            Method::PUT,
            "/settings/app_title.json",
            |text| json!({"setting": {"value": text}}),
        ),
        (
            Method::POST,
            "/projects/open/repositories.json",
            |text| json!({"repository": {"identifier": text, "scm": "git", "url": "/x"}}),
        ),
    ];
    for (method, path, body) in requests {
        for text in TEXTS {
            let reply = send(method.clone(), path, body(text));
            assert_eq!(reply.status, 422, "{method} {path}: {}", reply.body);
            let named = ["line break", "is invalid", "is not valid", "must", "only"];
            assert!(
                named.iter().any(|reason| reply.body.contains(reason)),
                "{method} {path}: {}",
                reply.body
            );
        }
    }
}

#[test]
fn imported_subject_with_a_line_break_stays_until_it_changes() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    world.sql("UPDATE issues SET subject = 'one\ntwo'");
    let admin = world.as_user("admin");
    let path = format!("/issues/{id}.json");
    let note = json!({"issue": {"notes": "n", "subject": "one\ntwo"}});
    admin.put(&path, note).assert_status(200);
    let changed = json!({"issue": {"subject": "one\nthree"}});
    admin.put(&path, changed).assert_status(422);
}
