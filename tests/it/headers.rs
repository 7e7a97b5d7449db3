//! Headers that every response has.

use crate::world::{REPORTER, RUNTIME, World};
use axum::body::Body;
use axum::http::{Method, Request};
use quarry::http::{Routes, service};
use serde_json::json;
use std::sync::Arc;
use tower::ServiceExt;

#[test]
fn every_response_forbids_content_sniffing() {
    let world = World::new();
    world.project("open").member("alice", REPORTER).create();
    world.issue("open").create();
    let alice = world.as_user("alice");
    let tag = alice.get("/issues/1.json").header("etag").to_owned();
    let responses = [
        (200, alice.get("/issues/1.json")),
        (200, alice.get("/issues/1.xml")),
        (304, alice.clone().with("If-None-Match", &tag).get("/issues/1.json")),
        (302, alice.get("/search.json?q=1")),
        (201, alice.post("/issues.json", json!({"issue": {"project_id": "open", "subject": "x"}}))),
        (422, alice.post("/issues.json", json!({"issue": {"project_id": "open"}}))),
        (400, alice.post("/issues.json", "{")),
        (401, world.anonymous().get("/issues/1.json")),
        (404, alice.get("/nowhere")),
        (404, alice.get("/nowhere.json")),
        (404, alice.send(Method::PATCH, "/search.json", None, Vec::new())),
        (406, alice.get("/issues/1.yaml")),
        (400, world.anonymous().get("/oauth/authorize")),
        (200, alice.get("/")),
        (200, alice.get("/favicon.ico")),
        (200, alice.get("/healthz")),
        (200, alice.get("/readyz")),
    ];
    for (status, answer) in responses {
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{answer:?}");
        answer.assert_status(status);
    }
}

#[test]
fn response_after_a_panic_forbids_content_sniffing() {
    async fn fail() {
        panic!("on purpose");
    }
    let world = World::new();
    let routes = Routes::new().route("/boom", axum::routing::get(fail));
    let router = service(Arc::clone(&world.app), routes);
    let request = Request::builder().uri("/boom.json").body(Body::empty()).unwrap();
    let response = RUNTIME.block_on(router.oneshot(request)).unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()["x-content-type-options"]), (500, &"nosniff".parse().unwrap()));
}
