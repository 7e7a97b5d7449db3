//! Headers that every response has.

use crate::world::{REPORTER, World};
use axum::body::Body;
use axum::http::{Method, Request};
use quarry::http::{Routes, around};
use std::sync::Arc;
use tower::ServiceExt;

#[test]
fn no_browser_guesses_a_content_type() {
    let world = World::new();
    world.project("open", true, &[("alice", REPORTER)]);
    world.issue("open", "");
    let alice = world.as_user("alice");
    let tag = alice.get("/issues/1.json").tag;
    let answers = [
        (200, alice.get("/issues/1.json")),
        (200, alice.get("/issues/1.xml")),
        (304, alice.clone().with("If-None-Match", &tag).get("/issues/1.json")),
        (302, alice.get("/search.json?q=1")),
        (201, alice.post("/issues.json", r#"{"issue":{"project_id":"open","subject":"x"}}"#)),
        (422, alice.post("/issues.json", r#"{"issue":{"project_id":"open"}}"#)),
        (400, alice.post("/issues.json", "{")),
        (401, world.anonymous().get("/issues/1.json")),
        (404, alice.get("/nowhere")),
        (404, alice.get("/nowhere.json")),
        (404, alice.send(Method::PATCH, "/search.json", None, Vec::new())),
        (406, alice.get("/issues/1.yaml")),
        (400, world.anonymous().get("/oauth/authorize")),
        (200, alice.get("/")),
        (200, alice.get("/style.css")),
        (200, alice.get("/healthz")),
        (200, alice.get("/readyz")),
    ];
    for (status, answer) in answers {
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{answer:?}");
        let _ = answer.expect(status);
    }
}

#[test]
fn not_even_after_a_panic() {
    async fn fail() {
        panic!("on purpose");
    }
    let world = World::new();
    let routes = Routes::new().route("/boom", axum::routing::get(fail));
    let router = around(Arc::clone(&world.app), routes);
    let request = Request::builder().uri("/boom.json").body(Body::empty()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let response = runtime.block_on(router.oneshot(request)).unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()["x-content-type-options"]), (500, &"nosniff".parse().unwrap()));
}
