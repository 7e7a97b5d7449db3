//! Tokens that have only scopes to read cannot change anything (compatibility 4.1).

use axum::http::Method;
use quarry::domain::access::permission::Permission;
use quarry_world::complete_world::complete_world;
use quarry_world::oauth_flow::{App, tokens, with_token};
use quarry_world::openapi::DOCUMENT;
use quarry_world::{Client, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Requests that only read, although they are sent with `POST`.
const READING: [&str; 1] = ["/issues/similar.json"];

fn is_reading(name: &&str) -> bool {
    name.starts_with("view_")
        || ["search_project", "export_wiki_pages", "browse_repository"].contains(name)
}

/// Returns all scopes that read.
fn reading_scopes() -> String {
    Permission::all()
        .map(Permission::name)
        .filter(is_reading)
        .collect::<Vec<_>>()
        .join(" ")
}

fn id(template: &str, name: &str) -> &'static str {
    match name {
        "user_id" if template.contains("/watchers/") => "2",
        "user_id" => "3",
        "title" => "Wiki",
        "revision" => "12",
        "name" => "app_title",
        "id" if template.starts_with("/enumerations") => "issue_priorities",
        "id" if template.starts_with("/groups") => "20",
        "id" if template.starts_with("/users") => "3",
        _ => "1",
    }
}

fn replace_parameter(template: &str, part: &str) -> String {
    match part.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((name, suffix)) => format!("{}{suffix}", id(template, name)),
        None => part.to_owned(),
    }
}

/// Returns the path of an operation in the complete world.
fn path_of(template: &str) -> String {
    let parts: Vec<String> = template
        .split('/')
        .map(|part| replace_parameter(template, part))
        .collect();
    parts.join("/")
}

/// Returns a body that would be valid, or nearly so, for a user with all rights.
fn body_of(path: &str) -> Value {
    json!({
        "issue": {"project_id": 1, "subject": "A", "notes": "B"}, "project": {"name": "A", "identifier": "a"}, "journal": {"notes": "A"},
        "version": {"name": "A"}, "news": {"title": "A", "description": "B"}, "comment": {"content": "A"}, "document": {"title": "A"},
        "board": {"name": "A", "description": "B"}, "message": {"subject": "A", "content": "B"}, "wiki_page": {"text": "A", "title": "B", "protected": true},
        "membership": {"user_id": 4, "role_ids": [5]}, "issue_category": {"name": "A"}, "time_entry": {"issue_id": 1, "hours": 1, "activity_id": 8},
        "relation": {"issue_to_id": 3, "relation_type": "relates"}, "query": {"name": "A"}, "repository": {"identifier": "a"},
        "attachment": {"filename": "a.txt"}, "changeset": {"revision": "99", "committed_on": "2026-11-20T12:00:00Z"}, "issue_id": 1,
        "file": {"token": "1.a"}, "user_id": if path.contains("watchers") { 2 } else { 3 },
        "user": {"firstname": "A"}, "group": {"name": "A"}, "role": {"name": "A"}, "tracker": {"name": "A"}, "issue_status": {"name": "A"},
        "custom_field": {"name": "A"}, "setting": {"value": "A"}, "settings": {"app_title": "A"}, "email_address": {"address": "a@example.net"},
        "issue_priority": {"name": "A"}, "workflow": {"transitions": []}
    })
}

/// Returns the rows of each table.
fn content(world: &World) -> BTreeMap<String, Vec<String>> {
    let database = world.database();
    let rows_of = |table: &String| {
        let rows = database.rows(&format!("SELECT * FROM {table}"));
        rows.iter()
            .map(|row| format!("{:?}", row.columns()))
            .collect()
    };
    let tables = database.tables();
    // The service itself reports there every few seconds.
    let others = tables.iter().filter(|table| *table != "nodes");
    others
        .map(|table| (table.clone(), rows_of(table)))
        .collect()
}

/// Returns each operation of the API that writes: its method, and its path with the names of
/// parameters.
fn writing_operations() -> Vec<(Method, String)> {
    let paths = DOCUMENT["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(path, _)| path.ends_with(".json"));
    let operations = paths.flat_map(|(path, item)| {
        let methods = item
            .as_object()
            .unwrap()
            .keys()
            .filter(|name| ["post", "put", "patch", "delete"].contains(&name.as_str()));
        methods.map(|name| {
            (
                Method::from_bytes(name.to_uppercase().as_bytes()).unwrap(),
                path.clone(),
            )
        })
    });
    operations
        .filter(|(_, path)| !READING.contains(&path.as_str()))
        .collect()
}

fn send(client: &Client<'_>, method: &Method, template: &str) -> quarry_world::Response {
    let path = path_of(template);
    if template == "/uploads.json" {
        return client.send(
            method.clone(),
            "/uploads.json?filename=a.txt",
            Some("application/octet-stream"),
            b"content".to_vec(),
        );
    }
    let query = match template {
        "/workflows.json" => "?role_id=3&tracker_id=1",
        "/issues.json" if method == Method::DELETE => "?ids=1",
        "/groups/{id}/users.json" => "?user_ids[]=3",
        _ => "",
    };
    let path = format!("{path}{query}");
    client.send(
        method.clone(),
        &path,
        Some("application/json"),
        body_of(template).to_string().into_bytes(),
    )
}

#[test]
fn token_with_every_reading_scope_is_refused_by_each_operation_that_writes() {
    let world = complete_world();
    let app = App::confidential(&world, &reading_scopes());
    for login in ["alice", "admin"] {
        let client = with_token(
            &world,
            &tokens(&world, login, &app, &reading_scopes()).access,
        );
        client
            .get("/issues/1.json")
            .assert_status(if login == "alice" { 200 } else { 403 });
        let before = content(&world);
        let operations = writing_operations();
        assert!(operations.len() > 100, "{}", operations.len());
        let answers = operations
            .iter()
            .map(|(method, template)| (method, template, send(&client, method, template)));
        let others: Vec<_> = answers
            // Without the scope `admin`, administrators do not even see the projects of which they
            // are no members.
            .filter(|(.., answer)| {
                answer.status != 403 && !(login == "admin" && answer.status == 404)
            })
            .map(|(method, template, answer)| format!("{method} {template}: {answer:?}"))
            .collect();
        assert!(others.is_empty(), "{login}: {others:#?}");
        let after = content(&world);
        let changed: Vec<_> = after
            .iter()
            .filter(|(table, rows)| before[*table] != **rows)
            .map(|(table, _)| table)
            .collect();
        assert!(changed.is_empty(), "{login}: {changed:?}");
    }
}

#[test]
fn matching_scopes_allow_reactions_watching_bookmarks_and_uploads() {
    let world = complete_world();
    let scopes = "view_project view_issues view_news view_messages view_wiki_pages";
    let cases = [
        (
            "add_issue_notes",
            Method::POST,
            "/issues/{id}/reactions.json",
        ),
        (
            "add_issue_notes",
            Method::POST,
            "/journals/{id}/reactions.json",
        ),
        ("comment_news", Method::POST, "/news/{id}/reactions.json"),
        ("comment_news", Method::POST, "/news/{id}/watchers.json"),
        (
            "add_messages",
            Method::POST,
            "/messages/{id}/reactions.json",
        ),
        (
            "add_message_watchers",
            Method::POST,
            "/boards/{id}/watchers.json",
        ),
        (
            "add_wiki_page_watchers",
            Method::POST,
            "/projects/{id}/wiki/index/watchers.json",
        ),
        ("save_queries", Method::PUT, "/projects/{id}/bookmark.json"),
        ("add_issues", Method::POST, "/uploads.json"),
    ];
    let all: Vec<&str> = cases.iter().map(|case| case.0).collect();
    let app = App::confidential(&world, &format!("{scopes} {}", all.join(" ")));
    let without = with_token(&world, &tokens(&world, "alice", &app, scopes).access);
    for (scope, method, template) in &cases {
        assert_eq!(send(&without, method, template).status, 403, "{template}");
        let with = with_token(
            &world,
            &tokens(&world, "alice", &app, &format!("{scopes} {scope}")).access,
        );
        let answer = send(&with, method, template);
        assert!(
            [200, 201, 204].contains(&answer.status),
            "{template}: {answer:?}"
        );
    }
}

#[test]
fn token_sees_saved_queries_with_the_scope_to_view_issues_only() {
    let world = World::with_projects();
    let alice = world.as_user("alice");
    let id = alice
        .post(
            "/queries.json",
            json!({"query": {"name": "My secret plans"}}),
        )
        .assert_status(201)
        .integer("/query/id");
    let app = App::confidential(&world, "view_issues view_wiki_pages");
    let wiki = with_token(
        &world,
        &tokens(&world, "alice", &app, "view_wiki_pages").access,
    );
    assert!(
        !wiki
            .get("/queries.json")
            .assert_status(200)
            .body
            .contains("plans")
    );
    assert!([403, 404].contains(&wiki.get(&format!("/queries/{id}.json")).status));
    let issues = with_token(&world, &tokens(&world, "alice", &app, "view_issues").access);
    assert!(
        issues
            .get("/queries.json")
            .assert_status(200)
            .body
            .contains("plans")
    );
    issues
        .get(&format!("/issues.json?query_id={id}"))
        .assert_status(200);
    issues
        .delete(&format!("/queries/{id}.json"))
        .assert_status(403);
    let stranger = with_token(&world, &tokens(&world, "bob", &app, "view_issues").access);
    assert!(
        !stranger
            .get("/queries.json")
            .assert_status(200)
            .body
            .contains("plans")
    );
}

fn client_with_scope<'w>(world: &'w World, app: &App, scope: &str) -> Client<'w> {
    with_token(world, &tokens(world, "alice", app, scope).access)
}

#[test]
fn reading_token_sees_only_what_its_scope_names() {
    let world = complete_world();
    let app = App::confidential(&world, "view_issues view_wiki_pages");
    let issues = client_with_scope(&world, &app, "view_issues");
    let wiki = client_with_scope(&world, &app, "view_wiki_pages");
    let refused = [
        "/users.json",
        "/groups.json",
        "/settings.json",
        "/custom_fields.json",
        "/users/2/email_addresses.json",
        "/projects/1.json",
        "/projects/1/news.json",
        "/projects/1/documents.json",
        "/projects/1/boards.json",
        "/projects/1/files.json",
        "/projects/1/memberships.json",
        "/projects/1/repositories.json",
        "/search.json?q=pump",
        "/messages/1/watchers.json",
        "/workflows.json?role_id=3&tracker_id=1",
        "/time_entries.json",
        "/time_entries/1.json",
        "/attachments/4.json",
        "/attachments/6.json",
        "/memberships/1.json",
        "/news/1.json",
    ];
    for path in refused {
        for (client, scope) in [(&issues, "view_issues"), (&wiki, "view_wiki_pages")] {
            let answer = client.get(path);
            assert!(
                [403, 404].contains(&answer.status),
                "{path} with {scope}: {answer:?}"
            );
        }
    }
    assert!([403, 404].contains(&issues.get("/projects/1/wiki/Wiki.json").status));
    wiki.get("/projects/1/wiki/Wiki.json").assert_status(200);
    wiki.get("/issues/1.json").assert_status(403);
    wiki.get("/issues.json").assert_status(403);
    let issue = issues
        .get("/issues/1.json?include=watchers,journals,attachments")
        .assert_status(200)
        .json();
    assert!(issue["issue"]["watchers"].is_null(), "{issue}");
    assert!(
        !issue.to_string().contains("Between us"),
        "private notes need their scope: {issue}"
    );
    for client in [&issues, &wiki] {
        assert_eq!(
            client
                .get("/my/bookmarks.json")
                .assert_status(200)
                .integer("/total_count"),
            0
        );
        assert!(
            client
                .get("/users/2.json?include=memberships")
                .assert_status(200)
                .json()["user"]["memberships"]
                .as_array()
                .unwrap()
                .is_empty()
        );
    }
}
