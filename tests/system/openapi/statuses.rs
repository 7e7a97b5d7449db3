//! Requests that cannot be read, or name a user who does not exist: every operation describes the
//! status of its response.

use super::document::{operations, parameters, resolve};
use axum::body::Body;
use axum::http::{Method, Request};
use quarry_world::{RUNTIME, World};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tower::ServiceExt;

/// Values that parameters and attributes of most types do not have.
fn odd_values() -> [Value; 7] {
    [
        json!(false),
        json!(""),
        json!([null, null]),
        json!({"a": {"b": []}}),
        json!([[{}]]),
        json!(1e300),
        json!("\u{0}"),
    ]
}

/// Query strings that no list can read, and odd values of the parameters of an operation.
fn queries(operation: &'static Value) -> Vec<String> {
    let mut queries = vec![
        "a=1&a[b]=2".to_owned(),
        "a[]=1&a[b]=2".to_owned(),
        "%ff=%ff".to_owned(),
    ];
    for parameter in parameters(operation)
        .into_iter()
        .filter(|parameter| parameter["in"] == "query")
    {
        let name = parameter["name"].as_str().unwrap().replace("{id}", "1");
        queries.extend(
            [
                "=%00",
                "=%ff",
                "[]=x",
                "[x]=y",
                "[x][]=y",
                "=-1",
                "=99999999999999999999",
            ]
            .map(|end| format!("{name}{end}")),
        );
    }
    queries
}

/// Bodies that are not JSON, and bodies whose attributes have other types than described.
fn bodies(operation: &'static Value) -> Vec<String> {
    let mut bodies: Vec<String> = ["\0", "{", "[1]", "null", "\"a\"", "{\"a\":1,\"a\":{}}"]
        .map(str::to_owned)
        .to_vec();
    let schema = resolve(&operation["requestBody"]["content"]["application/json"]["schema"]);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        bodies.extend(odd_values().map(|value| json!({name: value}).to_string()));
        for attribute in resolve(property)["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(attribute, _)| attribute)
        {
            bodies.extend(odd_values().map(|value| json!({name: {attribute: value}}).to_string()));
        }
    }
    bodies
}

/// Sends a request of the administrator and returns its status. No undescribed one may end the test
/// early.
fn send(world: &World, method: &Method, path: &str, switch_to: Option<&str>, body: &str) -> u16 {
    let mut request = Request::builder()
        .method(method.clone())
        .uri(path)
        .header("X-Service-API-Key", world.key("admin"));
    if let Some(login) = switch_to {
        request = request.header("X-Redmine-Switch-User", login);
    }
    if *method != Method::GET {
        request = request.header("Content-Type", "application/json");
    }
    let request = request.body(Body::from(body.to_owned())).unwrap();
    let response = RUNTIME
        .block_on(world.router.clone().oneshot(request))
        .unwrap();
    response.status().as_u16()
}

#[test]
fn every_operation_describes_the_statuses_of_requests_that_cannot_be_read() {
    let world = World::with_projects();
    world.issue("open").author("alice").create();
    let mut operations = operations();
    // Operations that delete records or disable the API come last.
    operations.sort_by_key(|(method, path, _)| (path == "/settings", method == "delete"));
    let mut problems = BTreeSet::new();
    let mut unreadable = 0;
    for (name, template, operation) in operations {
        let method: Method = name.to_uppercase().parse().unwrap();
        let parts: Vec<&str> = template
            .split('/')
            .map(|part| if part.starts_with('{') { "1" } else { part })
            .collect();
        let path = format!("{}.json", parts.join("/"));
        let mut note = |status: u16, what: &str| {
            unreadable += usize::from(status == 400);
            if status >= 500 || operation["responses"][status.to_string()].is_null() {
                problems.insert(format!("{name} {template}: {status} to {what:?}"));
            }
            status
        };
        let switched = note(
            send(&world, &method, &path, Some("nobody"), ""),
            "another user",
        );
        assert_eq!(switched, 412, "{name} {template}");
        for query in queries(operation) {
            note(
                send(&world, &method, &format!("{path}?{query}"), None, "{}"),
                &query,
            );
        }
        for body in bodies(operation).iter().filter(|_| method != Method::GET) {
            note(send(&world, &method, &path, None, body), body);
        }
        if template != "/settings" {
            assert_eq!(
                send(&world, &Method::GET, "/users/current.json", None, ""),
                200,
                "{name} {template} has locked the administrator out"
            );
        }
    }
    assert!(unreadable > 1000, "{unreadable} requests could not be read");
    assert!(problems.is_empty(), "{problems:#?}");
}
