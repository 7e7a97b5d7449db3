//! Every route of the API that changes what administrators define leaves an event: a new route must be
//! added here, and fails if nothing is recorded.

use crate::openapi::document::{Route, parse_routes, sources};
use axum::http::Method;
use quarry_world::World;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A request of an administrator: method, route, path, body. `ID` stands for the id that the last
/// `POST` has returned.
type Case = (&'static str, &'static str, &'static str, Value);

fn cases() -> Vec<Case> {
    let field = json!({"custom_field": {"customized_type": "issue", "field_format": "string", "name": "Audited"}});
    let role = json!({"role": {"name": "Auditor", "permissions": ["view_issues"]}});
    let status = json!({"issue_status": {"name": "Audited"}});
    let tracker = json!({"tracker": {"name": "Audited", "default_status_id": 1}});
    let user = json!({"user": {"login": "zoe", "firstname": "Zoe", "lastname": "Z", "mail": "zoe@example.org", "password": "a-password-1"}});
    let workflow = json!({"workflow": {"transitions": [{"old_status_id": 1, "new_status_id": 3}]}});
    let name = |object: &str| json!({object: {"name": "Renamed"}});
    vec![
        ("post", "/custom_fields", "/custom_fields.json", field),
        (
            "put",
            "/custom_fields/{id}",
            "/custom_fields/ID.json",
            name("custom_field"),
        ),
        (
            "delete",
            "/custom_fields/{id}",
            "/custom_fields/ID.json",
            Value::Null,
        ),
        (
            "post",
            "/enumerations/{id}",
            "/enumerations/issue_priorities.json",
            json!({"issue_priority": {"name": "Audited"}}),
        ),
        (
            "put",
            "/enumerations/{id}/{value_id}",
            "/enumerations/issue_priorities/ID.json",
            name("issue_priority"),
        ),
        (
            "delete",
            "/enumerations/{id}/{value_id}",
            "/enumerations/issue_priorities/ID.json",
            Value::Null,
        ),
        (
            "post",
            "/groups",
            "/groups.json",
            json!({"group": {"name": "Auditors", "user_ids": [3]}}),
        ),
        ("put", "/groups/{id}", "/groups/ID.json", name("group")),
        (
            "post",
            "/groups/{id}/users",
            "/groups/ID/users.json",
            json!({"user_id": 4}),
        ),
        (
            "delete",
            "/groups/{id}/users/{user_id}",
            "/groups/ID/users/4.json",
            Value::Null,
        ),
        (
            "delete",
            "/groups/{id}/users",
            "/groups/ID/users.json?user_ids[]=3",
            Value::Null,
        ),
        ("delete", "/groups/{id}", "/groups/ID.json", Value::Null),
        ("post", "/issue_statuses", "/issue_statuses.json", status),
        (
            "put",
            "/issue_statuses/{id}",
            "/issue_statuses/ID.json",
            name("issue_status"),
        ),
        (
            "delete",
            "/issue_statuses/{id}",
            "/issue_statuses/ID.json",
            Value::Null,
        ),
        ("post", "/roles", "/roles.json", role),
        ("put", "/roles/{id}", "/roles/ID.json", name("role")),
        ("delete", "/roles/{id}", "/roles/ID.json", Value::Null),
        (
            "put",
            "/settings",
            "/settings.json",
            json!({"settings": {"app_title": "Audited"}}),
        ),
        (
            "put",
            "/settings/{name}",
            "/settings/app_title.json",
            json!({"setting": {"value": "Again"}}),
        ),
        ("post", "/trackers", "/trackers.json", tracker),
        (
            "put",
            "/trackers/{id}",
            "/trackers/ID.json",
            name("tracker"),
        ),
        ("delete", "/trackers/{id}", "/trackers/ID.json", Value::Null),
        ("post", "/users", "/users.json", user),
        (
            "put",
            "/users/{id}",
            "/users/ID.json",
            json!({"user": {"lastname": "Y"}}),
        ),
        ("delete", "/users/{id}", "/users/ID.json", Value::Null),
        (
            "post",
            "/users/{id}/email_addresses",
            "/users/4/email_addresses.json",
            json!({"email_address": {"address": "x@example.org"}}),
        ),
        (
            "put",
            "/users/{id}/email_addresses/{address_id}",
            "/users/4/email_addresses/ID.json",
            json!({"email_address": {"notify": false}}),
        ),
        (
            "delete",
            "/users/{id}/email_addresses/{address_id}",
            "/users/4/email_addresses/ID.json",
            Value::Null,
        ),
        (
            "put",
            "/workflows",
            "/workflows.json?role_id=5&tracker_id=1",
            workflow,
        ),
        (
            "put",
            "/users/current",
            "/users/current.json",
            json!({"user": {"lastname": "Renamed"}}),
        ),
        (
            "delete",
            "/users/current",
            "/users/current.json",
            Value::Null,
        ),
    ]
}

/// Nobody deletes the own account.
const REFUSED: [(&str, &str); 1] = [("delete", "/users/current")];

/// Returns the routes that change something, of all resources with routes for administrators.
fn routes() -> BTreeSet<Route> {
    let administration = sources()
        .into_values()
        .filter(|source| source.contains(".for_administrators()"));
    administration
        .flat_map(|source| parse_routes(&source))
        .filter(|(method, _)| method != "get")
        .collect()
}

fn last_event(world: &World) -> i64 {
    let database = world.database();
    database.value("SELECT COALESCE(MAX(id), 0) FROM audit_events")
}

#[test]
fn every_route_that_changes_the_administration_is_tested_here() {
    let tested: BTreeSet<(String, String)> = cases()
        .into_iter()
        .map(|(method, route, _, _)| (method.to_owned(), route.to_owned()))
        .collect();
    assert_eq!(routes(), tested);
    assert!(tested.len() > 30);
}

#[test]
fn every_route_that_changes_the_administration_leaves_an_event() {
    let world = World::with_projects();
    let admin = world.as_user("admin");
    let mut id = 0;
    for (method, route, path, body) in cases() {
        let before = last_event(&world);
        let path = path.replace("ID", &id.to_string());
        let text = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let response = admin.send(
            Method::from_bytes(method.to_uppercase().as_bytes()).unwrap(),
            &path,
            Some("application/json"),
            text.into_bytes(),
        );
        if REFUSED.contains(&(method, route)) {
            assert!(response.status >= 400, "{method} {path}: {response:?}");
            continue;
        }
        assert!(
            (200..300).contains(&response.status),
            "{method} {path}: {response:?}"
        );
        if method == "post" && (!route.contains("/users") || route == "/users") {
            let created = response.json();
            let object = created.as_object().unwrap().values().next().unwrap();
            id = object["id"].as_i64().unwrap();
        } else if method == "post" && route.contains("email") {
            id = response.integer("/email_address/id");
        }
        let events = world.database().rows(&format!(
            "SELECT user_id, origin, record FROM audit_events WHERE id > {before}"
        ));
        assert!(!events.is_empty(), "{method} {route} leaves no event");
        for event in &events {
            assert_eq!(
                (event.get::<i64>(0), event.get::<String>(1).as_str()),
                (1, "API key"),
                "{method} {route}"
            );
        }
    }
}
