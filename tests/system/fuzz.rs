//! Random requests to every route never get a 500, a response in the wrong format, or one that the
//! description of the API lacks.

use axum::http::Method;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use quarry_world::openapi::DOCUMENT;
use quarry_world::{MANAGER, World};
use serde_json::{Value, json};

/// Number of requests, and of those that one service gets before another one with all records takes
/// its place.
const REQUESTS: usize = 3000;
const REQUESTS_PER_WORLD: usize = 150;

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

/// Fields that a body may have beyond those of the description, or that are names of settings.
const FIELDS: &[&str] = &[
    "id",
    "uploads",
    "custom_fields",
    "custom_field_values",
    "lock_version",
    "app_title",
    "issue_done_ratio",
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

/// A route with its methods, and the objects that its bodies may have with their fields.
struct Route {
    template: &'static str,
    methods: Vec<Method>,
    objects: Vec<(&'static str, Vec<&'static str>)>,
}

fn route(path: &'static str, item: &'static Value) -> Route {
    let bodies = item.as_object().unwrap().values().filter_map(|operation| {
        operation
            .pointer("/requestBody/content/application~1json/schema/properties")
            .and_then(Value::as_object)
    });
    let objects = bodies
        .flatten()
        .map(|(name, schema)| (name.as_str(), properties(schema)))
        .collect();
    // Few records are deleted, so that the other requests find them.
    let methods: Vec<Method> = item
        .as_object()
        .unwrap()
        .keys()
        .flat_map(|method| match method.as_str() {
            "get" => vec![Method::GET, Method::GET, Method::HEAD],
            "post" => vec![Method::POST, Method::POST, Method::POST],
            "put" => vec![Method::PUT, Method::PUT, Method::PATCH],
            _ => vec![Method::DELETE],
        })
        .collect();
    Route {
        template: path.trim_end_matches(".json"),
        methods,
        objects,
    }
}

/// Returns all routes; that all of them are described is another test.
fn routes() -> Vec<Route> {
    DOCUMENT["paths"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(path, item)| route(path, item))
        .collect()
}

/// Returns the names of the fields of an object.
fn properties(schema: &'static Value) -> Vec<&'static str> {
    let target = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|target| DOCUMENT.pointer(target.trim_start_matches('#')));
    let fields = target
        .unwrap_or(schema)
        .get("properties")
        .and_then(Value::as_object);
    fields
        .into_iter()
        .flat_map(|fields| fields.keys().map(String::as_str))
        .collect()
}

/// Returns a value with which a field is accepted by most records.
fn usual(object: &str, field: &str) -> Option<Value> {
    Some(match field {
        "name" | "subject" | "title" | "content" | "login" | "firstname" | "lastname" | "text"
        | "revision" => json!("fresh"),
        "mail" => json!("x@example.net"),
        "identifier" => json!("fresh"),
        "project_id" | "tracker_id" | "issue_id" | "default_status_id" | "board_id" => json!(1),
        "issue_to_id" => json!(3),
        "user_id" => json!(if object == "membership" { 5 } else { 2 }),
        "protected" => json!(true),
        "role_ids" => json!([4]),
        "category_id" => json!(if object == "document" { 6 } else { 1 }),
        "activity_id" => json!(8),
        "hours" => json!("1:30"),
        "field_format" => json!("string"),
        "customized_type" => json!("issue"),
        "description" => json!("a text"),
        _ => return None,
    })
}

/// The content of a body.
#[derive(Clone, Debug)]
enum RequestBody {
    Bytes(&'static str, Vec<u8>),
    /// One of the objects of the route with usual values, except for one field.
    Object {
        object: Index,
        field: Index,
        value: Value,
    },
}

fn body() -> impl Strategy<Value = RequestBody> {
    let kinds = prop::sample::select(vec![
        "application/json",
        "application/xml",
        "application/x-www-form-urlencoded",
        "text/plain",
        "x/y; z",
    ]);
    let bytes = (kinds, prop::collection::vec(any::<u8>(), 0..200))
        .prop_map(|(kind, bytes)| RequestBody::Bytes(kind, bytes));
    let value = (any::<String>(), value(), 0..10).prop_map(|(text, odd, shape)| match shape {
        0 => json!(text),
        1 => json!([text]),
        2 => json!({ "a": text }),
        3 => json!([{ "id": 1, "value": text, "path": odd, "token": text }]),
        4 => json!(1),
        5 => json!(-1.5e300),
        6 => json!(true),
        7 => json!(null),
        8 => json!([1, 4, 9_999]),
        _ => json!(odd),
    });
    let object = (any::<Index>(), any::<Index>(), value).prop_map(|(object, field, value)| {
        RequestBody::Object {
            object,
            field,
            value,
        }
    });
    prop_oneof![1 => bytes, 5 => object]
}

/// Returns content type and bytes of the body of a request to this route.
fn bytes(route: &Route, body: RequestBody) -> (&'static str, Vec<u8>) {
    let (object, field, value) = match body {
        RequestBody::Bytes(kind, bytes) => return (kind, bytes),
        RequestBody::Object {
            object,
            field,
            value,
        } => (object, field, value),
    };
    let Some((object, names)) = route.objects.get(object.index(route.objects.len().max(1))) else {
        return ("application/json", Vec::new());
    };
    if names.is_empty() {
        return (
            "application/json",
            json!({ *object: value }).to_string().into_bytes(),
        );
    }
    let mut fields: serde_json::Map<String, Value> = names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), usual(object, name)?)))
        .collect();
    let all: Vec<&str> = names.iter().chain(FIELDS).copied().collect();
    fields.insert((*field.get(&all)).to_owned(), value);
    (
        "application/json",
        json!({ *object: fields }).to_string().into_bytes(),
    )
}

/// Returns values for a parameter of a path.
fn choices(template: &str, name: &str) -> &'static [&'static str] {
    match (name, template.split('/').nth(1).unwrap_or_default()) {
        ("id", "enumerations") => &[
            "issue_priorities",
            "time_entry_activities",
            "document_categories",
            "x",
        ],
        ("id", "groups") => &["7", "7", "7", "2", "0"],
        ("id", "roles") => &["3", "4", "5", "1", "9"],
        ("id", "projects") => &["one", "one", "1", "1", "two", "2", "9", "x%00"],
        ("id", _) => &["1", "1", "1", "2", "3", "0", "99999999999999999999"],
        ("title", _) => &["Page", "Page", "Wiki", "index", "%C3%A4hre%00"],
        ("name", _) => &[
            "app_title",
            "commit_update_keywords",
            "timelog_required_fields",
            "nothing",
        ],
        ("filename", _) => &["a.txt", "b.txt", "x%00"],
        ("user_id", _) => &["2", "3", "9"],
        ("value_id", _) => &["1", "4", "6", "8", "x"],
        _ => &["1", "1", "1", "2", "x"],
    }
}

/// Returns the path of a route with values for its parameters.
fn path(route: &Route, values: &[Index]) -> String {
    let mut values = values.iter();
    route
        .template
        .split('/')
        .map(|part| {
            let name = part
                .strip_prefix('{')
                .and_then(|part| part.strip_suffix('}'));
            name.map_or(part, |name| {
                let choices = choices(route.template, name);
                values.next().map_or("1", |value| *value.get(choices))
            })
        })
        .collect::<Vec<_>>()
        .join("/")
}

/// Returns a service with a record of each kind.
fn world() -> World {
    let world = World::new();
    world.project("one").member("alice", MANAGER).create();
    let issue = world.issue("one").create();
    let child = world.issue("one").parent(issue).create();
    let token = quarry_world::attachments::upload(&world, "alice", "a.txt", "x");
    let admin = world.as_user("admin");
    for (path, body) in [
        (
            "/projects/one/boards",
            json!({"board": {"name": "General"}}),
        ),
        (
            "/boards/1/topics",
            json!({"message": {"subject": "x", "content": "x"}}),
        ),
        ("/messages/1/replies", json!({"message": {"content": "x"}})),
        ("/projects/one/repositories", json!({"repository": {}})),
        (
            "/projects/one/repository/1/revisions",
            json!({"changeset": {"revision": "1", "comments": "x"}}),
        ),
        (
            "/projects/one/documents",
            json!({"document": {"title": "x", "category_id": 6}}),
        ),
        (
            "/projects/one/news",
            json!({"news": {"title": "x", "description": "x"}}),
        ),
        ("/news/1/comments", json!({"comment": {"content": "x"}})),
        ("/projects/one/versions", json!({"version": {"name": "x"}})),
        (
            "/projects/one/issue_categories",
            json!({"issue_category": {"name": "x"}}),
        ),
        (
            "/projects",
            json!({"project": {"name": "Two", "identifier": "two", "parent_id": 1, "inherit_members": true}}),
        ),
        ("/groups", json!({"group": {"name": "x", "user_ids": [3]}})),
        (
            "/custom_fields",
            json!({"custom_field": {"name": "x", "customized_type": "issue", "field_format": "string"}}),
        ),
        (
            "/time_entries",
            json!({"time_entry": {"issue_id": issue, "hours": 1, "activity_id": 8}}),
        ),
        (
            "/issues",
            json!({"issue": {"project_id": 1, "subject": "x"}}),
        ),
        (
            "/issues/1/relations",
            json!({"relation": {"issue_to_id": 3}}),
        ),
    ] {
        admin.post(&format!("{path}.json"), body).assert_status(201);
    }
    let alice = world.as_user("alice");
    alice
        .put(
            "/projects/one/wiki/Page.json",
            json!({"wiki_page": {"text": "x"}}),
        )
        .assert_status(201);
    let note = json!({"issue": {"notes": "x", "uploads": [{ "token": token }]}});
    alice
        .put(&format!("/issues/{child}.json"), note)
        .assert_status(200);
    world
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

#[test]
fn random_requests_never_return_500() {
    let routes = routes();
    assert!(routes.len() > 80, "{}", routes.len());
    let other = prop::sample::select(vec![
        Method::GET,
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::OPTIONS,
    ]);
    let method = prop_oneof![9 => any::<Index>().prop_map(Ok), 1 => other.prop_map(Err)];
    let query = prop::collection::vec((prop::sample::select(NAMES), value()), 0..4);
    let suffixes = prop::sample::select(vec![
        ".json", ".json", ".json", ".xml", ".xml", ".xml", "", ".html",
    ]);
    let logins = prop::sample::select(vec!["admin", "admin", "alice"]);
    let values = prop::collection::vec(any::<Index>(), 4);
    let request = (
        any::<Index>(),
        logins,
        method,
        values,
        suffixes,
        query,
        body(),
    );
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..Config::default()
    });
    let mut service = world();
    for number in 0..REQUESTS {
        if number % REQUESTS_PER_WORLD == 0 {
            service = world();
        }
        let (route, login, method, values, suffix, query, body) =
            request.new_tree(&mut runner).unwrap().current();
        let route = route.get(&routes);
        let method = method.map_or_else(|other| other, |index| index.get(&route.methods).clone());
        let query: Vec<String> = query
            .iter()
            .map(|(name, value)| format!("{name}={}", encoded(value)))
            .collect();
        let address = format!("{}{suffix}?{}", path(route, &values), query.join("&"));
        let (kind, body) = if method == Method::GET {
            ("text/plain", Vec::new())
        } else {
            bytes(route, body)
        };
        let sent = String::from_utf8_lossy(&body).into_owned();
        let response = service
            .as_user(login)
            .send(method.clone(), &address, Some(kind), body);
        assert!(
            response.status < 500,
            "{login}: {method} {address} {sent}: {response:?}"
        );
        // What looks like a format is a part of the name of a file; the description is always JSON.
        let is_other = [
            "/attachments/download",
            "/attachments/thumbnail",
            "/openapi",
        ]
        .iter()
        .any(|path| address.starts_with(path))
            // Wiki pages are exported as HTML.
            || address.contains("/wiki/") && suffix == ".html"
            || [".csv", ".atom", ".ndjson"].iter().any(|export| address.contains(export));
        if !response.body.is_empty() && !is_other {
            let expected = match suffix {
                ".json" | ".html" => "application/json",
                ".xml" => "application/xml",
                _ => "text/html",
            };
            assert!(
                response.content_type().starts_with(expected),
                "{login}: {method} {address} {sent}: {response:?}"
            );
            if suffix == ".xml" {
                assert!(
                    roxmltree::Document::parse(&response.body).is_ok(),
                    "{}",
                    response.body
                );
            }
        }
    }
}
