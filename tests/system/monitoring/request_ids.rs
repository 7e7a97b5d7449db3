//! The ids of requests, in responses and in the log, and the log of slow requests.

use super::Watched;
use quarry_world::World;
use quarry_world::process::{Service, quarry};
use serde_json::Value;
use std::io::Read;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// Returns the id in the response.
fn response_id(service: &Service, path: &str, headers: &[&str]) -> String {
    let mut text = String::new();
    service
        .send(path, headers)
        .read_to_string(&mut text)
        .unwrap();
    let ids: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("x-request-id: "))
        .collect();
    assert_eq!(ids.len(), 1, "{text}");
    ids[0].to_owned()
}

fn is_random(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[test]
fn every_response_and_event_of_a_request_has_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = quarry(&["serve", "--log-format", "json", "--slow-request", "0"]);
    let service = Service::start(command.arg("--data").arg(folder.path()));
    let trace = format!("traceparent: 00-{TRACE}-{PARENT}-01");
    let login = "Authorization: Basic YWRtaW46d3Jvbmc=";
    quarry_world::process::run(folder.path(), &["setting", "set", "rest_api_enabled", "1"]);
    let id = response_id(
        &service,
        "/issues.json",
        &[login, "X-Request-Id: web-1.2_3", &trace],
    );
    assert_eq!(id, "web-1.2_3");
    for path in ["/healthz", "/nothing", "/issues.json", "/"] {
        assert!(is_random(&response_id(&service, path, &[])), "{path}");
    }
    for sent in ["a b", "\"", "]", "<script>", &"x".repeat(65)] {
        let id = response_id(&service, "/healthz", &[&format!("X-Request-Id: {sent}")]);
        assert!(is_random(&id), "{sent:?}: {id:?}");
    }
    let bad = format!("traceparent: 00-{TRACE}-{PARENT}-01-\"");
    let without_trace = response_id(&service, "/healthz", &[&bad]);
    service.terminate();
    let (_, log) = service.ended();
    let events: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |id: &str| {
        let own = events.iter().filter(|event| event["request.id"] == id);
        own.collect::<Vec<_>>()
    };
    let messages: Vec<&str> = of("web-1.2_3")
        .into_iter()
        .map(|event| event["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        messages.len(),
        2,
        "the refused login and the request: {log}"
    );
    for event in of("web-1.2_3") {
        assert_eq!(event["trace.id"], TRACE);
        assert_eq!(event["trace.parent_id"], PARENT);
    }
    let event = of(&without_trace)[0];
    assert_eq!(event.get("trace.id"), None);
    assert!(
        events
            .iter()
            .filter(|event| event["message"] == "answered")
            .all(|event| event["request.id"].is_string())
    );
}

#[test]
fn text_has_the_id_before_the_level() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    response_id(&service, "/healthz", &["X-Request-Id: web-7"]);
    service.terminate();
    let (_, log) = service.ended();
    let line = log.lines().find(|line| line.contains("web-7")).unwrap();
    assert!(line.contains("Z [request.id=web-7]  INFO quarry"), "{line}");
}

#[test]
fn every_filter_of_the_log_keeps_the_ids() {
    let folder = tempfile::tempdir().unwrap();
    for filter in ["audit=info", "quarry=debug,audit=info,warn", "warn"] {
        let mut command = quarry(&["serve", "--log", filter, "--data"]);
        let service = Service::start(command.arg(folder.path()));
        let enable = ["setting", "set", "rest_api_enabled", "1"];
        quarry_world::process::run(folder.path(), &enable);
        let wrong = "X-Service-API-Key: wrong";
        response_id(&service, "/issues.json", &[wrong, "X-Request-Id: web-8"]);
        service.terminate();
        let (_, log) = service.ended();
        let refusal = "Z [request.id=web-8]  WARN audit: a key or token was refused";
        assert!(log.contains(refusal), "{filter}: {log}");
    }
}

#[test]
fn internal_errors_name_the_id_of_their_request() {
    let world = World::with_projects();
    world.sql("ALTER TABLE news RENAME TO news_of_yesterday");
    let client = world.as_user("alice");
    for path in [
        "/projects/open/news.json",
        "/projects/open/news.xml",
        "/projects/open/news",
    ] {
        let response = client.get(path).assert_status(500);
        let id = response.header("x-request-id").to_owned();
        assert!(is_random(&id), "{id}");
        response.assert_contains(&format!("with the request id {id}"));
    }
    world.sql("ALTER TABLE news_of_yesterday RENAME TO news");
}

#[test]
fn slow_requests_are_logged_with_their_statements_and_without_values() {
    let watched = Watched::start_with(&["--slow-request", "1", "--log-format", "json"]);
    let path = "/issues.json?subject=~verysecretword&limit=5";
    assert_eq!(watched.service.get(path, &[&watched.key]).0, 200);
    let (status, ..) = watched.service.post_body(
        "/projects/open/issues.json",
        &format!("x=y\r\n{}", watched.key),
        "application/json",
        br#"{"issue":{"subject":"anothersecretword"}}"#,
    );
    assert_eq!(status, 201);
    watched.service.terminate();
    let Watched { service, key, .. } = watched;
    let (_, log) = service.ended();
    let events: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|event: &Value| event["message"] == "a request was slow")
        .collect();
    let of = |method: &str| {
        let event = events.iter().find(|event| event["http.method"] == method);
        event.unwrap_or_else(|| panic!("{log}"))
    };
    for (method, route) in [("GET", "/issues"), ("POST", "/projects/{id}/issues")] {
        let event = of(method);
        assert_eq!(event["http.route"], route);
        assert_eq!(event["level"], "WARN");
        assert!(event["request.id"].is_string(), "{event}");
        assert!(event["store.statements"].as_u64().unwrap() > 0, "{event}");
        assert!(
            event["store.milliseconds"].as_f64().unwrap() > 0.0,
            "{event}"
        );
    }
    assert!(!log.contains("secretword"), "{log}");
    assert!(!log.contains(key.split_once(": ").unwrap().1), "{log}");
}

#[test]
fn zero_switches_the_log_of_slow_requests_off() {
    let watched = Watched::start_with(&["--slow-request", "0"]);
    watched.service.get("/issues", &[&watched.key]);
    watched.service.terminate();
    assert!(!watched.service.ended().1.contains("a request was slow"));
}
