//! A restored service answers every address of the API as the original does.

use super::{Place, attach};
use crate::postgres::site::request;
use quarry_world::data_folder::KEY;
use quarry_world::process::Service;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn get(service: &Service, path: &str) -> (u16, Vec<u8>) {
    let key = format!("X-Service-API-Key: {KEY}");
    let response = request(&service.address, &format!("GET {path}"), &[&key], b"").unwrap();
    // Links name the address of each service.
    let body = String::from_utf8_lossy(&response.body).replace(&service.address, "HOST");
    (response.status, body.into_bytes())
}

fn post(service: &Service, path: &str, body: &Value) {
    let key = format!("X-Service-API-Key: {KEY}");
    let headers = [&key, "Content-Type: application/json"];
    let line = format!("POST {path}");
    let response = request(
        &service.address,
        &line,
        &headers,
        body.to_string().as_bytes(),
    )
    .unwrap();
    assert!((200..300).contains(&response.status), "{path} {response:?}");
}

/// Returns the addresses that can be read, with values in place of their parameters.
fn addresses(service: &Service) -> BTreeSet<String> {
    let (status, body) = get(service, "/openapi.json");
    assert_eq!(status, 200);
    let description: Value = serde_json::from_slice(&body).unwrap();
    let mut addresses = BTreeSet::new();
    for (path, operations) in description["paths"].as_object().unwrap() {
        if operations.get("get").is_none() {
            continue;
        }
        for value in ["1", "2", "one", "Start", "a.txt"] {
            let parts = path.split('/').map(|part| match part.split_once('}') {
                Some((_, rest)) => format!("{value}{rest}"),
                None => part.to_owned(),
            });
            addresses.insert(parts.collect::<Vec<_>>().join("/"));
        }
    }
    addresses
}

#[test]
fn restored_service_answers_every_address_as_the_original() {
    let place = Place::new();
    let original = place.serve("data");
    for n in 0..3 {
        attach(&original, format!("content {n}").as_bytes());
    }
    for (path, body) in [
        (
            "/projects/one/news.json",
            json!({"news": {"title": "Release", "description": "is out"}}),
        ),
        (
            "/projects/one/boards.json",
            json!({"board": {"name": "General", "description": "all"}}),
        ),
        (
            "/boards/1/topics.json",
            json!({"message": {"subject": "Hello", "content": "there"}}),
        ),
        (
            "/projects/one/versions.json",
            json!({"version": {"name": "1.0"}}),
        ),
        (
            "/time_entries.json",
            json!({"time_entry": {"issue_id": 1, "hours": 2, "activity_id": 8}}),
        ),
        (
            "/issues/1/relations.json",
            json!({"relation": {"issue_to_id": 2}}),
        ),
    ] {
        post(&original, path, &body);
    }
    place.back_up(&[]);
    // An empty machine: two commands.
    let restored = place.restore("new", &[]);
    assert!(restored.contains("index has all"), "{restored}");
    let copy = place.serve("new");
    let mut ok = 0;
    let addresses = addresses(&original);
    for path in &addresses {
        let expected = get(&original, path);
        let actual = get(&copy, path);
        ok += u32::from(expected.0 == 200);
        assert!(
            actual == expected,
            "{path}: {} {}\n{} {}",
            expected.0,
            String::from_utf8_lossy(&expected.1),
            actual.0,
            String::from_utf8_lossy(&actual.1)
        );
    }
    println!(
        "{} addresses are equal, {ok} of them with 200",
        addresses.len()
    );
    assert!(ok > 60, "{ok}");
    let path = "/search.json?q=file";
    assert_eq!(get(&copy, path), get(&original, path));
    assert_eq!(get(&copy, "/attachments/download/1/a.txt").1, b"content 0");
}
