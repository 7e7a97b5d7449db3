//! Random requests never get a 500 or a response in the wrong format.

use crate::world::{MANAGER, World};
use axum::http::Method;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

const PATHS: &[&str] = &[
    "/issues",
    "/issues/1",
    "/issues/2",
    "/projects",
    "/projects/one",
    "/projects/1/issues",
    "/projects/one/search",
    "/projects/one/time_entries",
    "/projects/one/wiki",
    "/projects/one/wiki/index",
    "/projects/one/wiki/Page",
    "/projects/one/wiki/%C3%A4hre%00",
    "/projects/one/wiki/Page/1",
    "/search",
    "/time_entries",
    "/time_entries/1",
    "/issues/1/time_entries",
    "/users/current",
    "/attachments/1",
    "/attachments/2",
    "/uploads",
    "/projects/one/documents",
    "/documents/1",
    "/projects/one/boards",
    "/boards/1",
    "/boards/1/topics",
    "/messages/1",
    "/messages/1/replies",
    "/projects/one/repositories",
    "/projects/one/repository/1/revisions",
    "/projects/one/repository/1/revisions/1",
    "/projects/one/wiki/Page/diff",
    "/projects/one/wiki/Page/history",
    "/projects/one/wiki/Page/rename",
    "/projects/one/wiki/Page/protect",
    "/nowhere",
];
const NAMES: &[&str] = &[
    "q",
    "scope",
    "sort",
    "offset",
    "limit",
    "page",
    "status_id",
    "subject",
    "created_on",
    "due_date",
    "assigned_to_id",
    "project_id",
    "subproject_id",
    "include",
    "all_words",
    "titles_only",
    "attachments",
    "issues",
    "open_issues",
    "id",
    "nometa",
    "strict",
    "issue_id",
    "done_ratio",
    "spent_on",
    "from",
    "to",
    "hours",
    "user_id",
    "activity_id",
    "comments",
    "issue.status_id",
    "version",
    "todo",
    "reassign_to_id",
    "a[b][]",
    "a[",
];

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[!=<>~*|^$oct0-9-]{0,12}",
        prop::sample::select(vec![
            "-1",
            "0",
            "9223372036854775807",
            "99999999999999999999",
            "1e309",
            "NaN",
            "2024-02-30",
            "><t-9999999",
            "\"",
            "#1",
            "%00"
        ])
        .prop_map(str::to_owned),
    ]
}

fn body() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let field = prop::sample::select(vec![
        "subject",
        "description",
        "project_id",
        "status_id",
        "assigned_to_id",
        "is_private",
        "notes",
        "tracker_id",
        "uploads",
    ]);
    let json = (field, any::<String>(), 0..4).prop_map(|(field, text, shape)| {
        let value = match shape {
            0 => serde_json::json!(text),
            1 => serde_json::json!([text]),
            2 => serde_json::json!({ "a": text }),
            _ => serde_json::json!(-1.5e300),
        };
        let issue = serde_json::json!({"issue": {"project_id": "one", "subject": "x", field: value}});
        ("application/json", serde_json::to_vec(&issue).unwrap())
    });
    let field = prop::sample::select(vec!["text", "comments", "version", "title", "parent_title", "uploads", "is_start_page"]);
    let page = (field, any::<String>(), 0..4).prop_map(|(field, text, shape)| {
        let value = match shape {
            0 => serde_json::json!(text),
            1 => serde_json::json!([text]),
            2 => serde_json::json!({ "a": text }),
            _ => serde_json::json!(0),
        };
        ("application/json", serde_json::to_vec(&serde_json::json!({"wiki_page": {"text": "x", field: value}})).unwrap())
    });
    let field =
        prop::sample::select(vec!["hours", "spent_on", "comments", "issue_id", "project_id", "user_id", "activity_id", "custom_fields"]);
    let time = (field, any::<String>(), 0..5).prop_map(|(field, text, shape)| {
        let value = match shape {
            0 => serde_json::json!(text),
            1 => serde_json::json!([text]),
            2 => serde_json::json!({ "a": text }),
            3 => serde_json::json!(1),
            _ => serde_json::json!(1.5e300),
        };
        let entry = serde_json::json!({"time_entry": {"project_id": "one", "hours": "1:30", "activity_id": 8, field: value}});
        ("application/json", serde_json::to_vec(&entry).unwrap())
    });
    let field = prop::sample::select(vec![
        ("document", "title"),
        ("document", "category_id"),
        ("board", "name"),
        ("board", "parent_id"),
        ("message", "subject"),
        ("message", "content"),
        ("message", "board_id"),
        ("changeset", "revision"),
        ("changeset", "committed_on"),
        ("changeset", "comments"),
        ("changeset", "files"),
        ("changeset", "parents"),
        ("repository", "identifier"),
        ("wiki_page", "protected"),
    ]);
    let addition = (field, any::<String>(), 0..5).prop_map(|((root, field), text, shape)| {
        let value = match shape {
            0 => serde_json::json!(text),
            1 => serde_json::json!([text]),
            2 => serde_json::json!({ "a": text }),
            3 => serde_json::json!([{ "path": text }]),
            _ => serde_json::json!(1),
        };
        let mut fields = serde_json::json!({"title": "x", "category_id": 6, "name": "x", "subject": "x", "content": "x", "revision": "1"});
        fields[field] = value;
        ("application/json", serde_json::to_vec(&serde_json::json!({ root: fields })).unwrap())
    });
    let kinds =
        prop::sample::select(vec!["application/json", "application/xml", "application/x-www-form-urlencoded", "text/plain", "x/y; z"]);
    prop_oneof![json, page, time, addition, (kinds, prop::collection::vec(any::<u8>(), 0..200))]
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[test]
fn random_requests_never_return_500() {
    let world = World::new();
    world.project("one").member("alice", MANAGER).create();
    crate::attachments::upload(&world, "alice", "a.txt", "x");
    for (path, body) in [
        ("/projects/one/boards.json", serde_json::json!({"board": {"name": "General"}})),
        ("/boards/1/topics.json", serde_json::json!({"message": {"subject": "x", "content": "x"}})),
        ("/projects/one/repositories.json", serde_json::json!({"repository": {}})),
        ("/projects/one/documents.json", serde_json::json!({"document": {"title": "x", "category_id": 6}})),
    ] {
        world.as_user("alice").post(path, body).assert_status(201);
    }
    let methods =
        prop::sample::select(vec![Method::GET, Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::HEAD]);
    let query = prop::collection::vec((prop::sample::select(NAMES), value()), 0..4);
    let request = (methods, prop::sample::select(PATHS), prop::sample::select(vec![".json", ".xml", "", ".html"]), query, body());
    let mut runner = TestRunner::new(Config { cases: 2000, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&request, |(method, path, suffix, query, (kind, body))| {
        let query: Vec<String> = query.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let address = format!("{path}{suffix}?{}", query.join("&"));
        let body = if method == Method::GET { Vec::new() } else { body };
        let response = world.as_user("alice").send(method.clone(), &address, Some(kind), body);
        prop_assert!(response.status < 500, "{method} {address}: {response:?}");
        if !response.body.is_empty() {
            let expected = match suffix {
                ".json" | ".html" => "application/json",
                ".xml" => "application/xml",
                _ => "text/html",
            };
            prop_assert!(response.content_type().starts_with(expected), "{method} {address}: {response:?}");
            if suffix == ".xml" {
                prop_assert!(roxmltree::Document::parse(&response.body).is_ok(), "{}", response.body);
            }
        }
        Ok(())
    });
    outcome.unwrap();
}
