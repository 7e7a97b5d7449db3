//! The document itself.

use super::validation::DOCUMENT;
use crate::world::World;
use quarry::domain::setting::Setting;
use serde_json::Value;
use std::collections::BTreeSet;

/// The route table of the REST API.
const ROUTES: &str = include_str!("../../../src/api/mod.rs");

/// Returns method and path of each route, from the source of the route table. `PATCH` is another name for `PUT`.
fn routes() -> BTreeSet<(String, String)> {
    let mut routes = BTreeSet::new();
    for route in ROUTES.split(".route(").skip(1) {
        let path = route.split('"').nth(1).unwrap();
        for method in ["get", "put", "post", "delete"] {
            let called = |before: &str| route.contains(&format!("{before}{method}("));
            if called(" ") || called(".") || called("\n") {
                routes.insert((method.to_owned(), path.to_owned()));
            }
        }
    }
    routes
}

fn operations() -> Vec<(String, String, &'static Value)> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let of_path = |(path, item): (&String, &'static Value)| {
        let path = path.trim_end_matches(".json").to_owned();
        item.as_object().unwrap().iter().map(move |(method, operation)| (method.clone(), path.clone(), operation))
    };
    paths.iter().flat_map(of_path).collect()
}

#[test]
fn every_route_is_described_and_nothing_else() {
    let described: BTreeSet<(String, String)> = operations().into_iter().map(|(method, path, _)| (method, path)).collect();
    let missing: Vec<_> = routes().difference(&described).cloned().collect();
    let stale: Vec<_> = described.difference(&routes()).cloned().collect();
    assert!(missing.is_empty() && stale.is_empty(), "missing in src/openapi: {missing:#?}, no such route: {stale:#?}");
}

#[test]
fn operations_can_become_methods_of_a_client() {
    let mut ids = BTreeSet::new();
    for (method, path, operation) in operations() {
        let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{method} {path} has no operationId"));
        assert!(ids.insert(id), "{id} is used twice");
        assert!(!operation["summary"].as_str().unwrap_or_default().is_empty(), "{method} {path} has no summary");
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        for part in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
            assert!(parameters.iter().any(|parameter| parameter["name"] == part && parameter["in"] == "path"), "{method} {path}: {part}");
        }
        assert!(!operation["responses"].as_object().unwrap().is_empty(), "{method} {path} has no responses");
    }
}

#[test]
fn references_lead_somewhere() {
    fn visit(value: &Value) {
        match value {
            Value::Object(entries) => {
                if let Some(target) = entries.get("$ref").and_then(Value::as_str) {
                    assert!(DOCUMENT.pointer(target.trim_start_matches('#')).is_some(), "{target}");
                }
                entries.values().for_each(visit);
            }
            Value::Array(items) => items.iter().for_each(visit),
            _ => {}
        }
    }
    visit(&DOCUMENT);
}

#[test]
fn document_names_the_address_of_the_service_and_is_open() {
    let world = World::new();
    world.set(Setting::LoginRequired, "1");
    let document = world.anonymous().get("/openapi.json").assert_status(200).json();
    assert_eq!(document["servers"][0]["url"], "http://quarry.test");
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(
        document["components"]["securitySchemes"]["oauth2"]["flows"]["authorizationCode"]["tokenUrl"],
        "http://quarry.test/oauth/token"
    );
}
