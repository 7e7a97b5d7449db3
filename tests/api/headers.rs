//! Headers that every response has.

use axum::body::Body;
use axum::http::{Method, Request};
use quarry::http::{Routes, service};
use quarry_world::wait::TIMEOUT;
use quarry_world::{REPORTER, RUNTIME, World};
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
    let last_change = world.app.store.last_change();
    assert!(world.app.search.wait_until(last_change, TIMEOUT));
    let responses = [
        (200, alice.get("/issues/1.json")),
        (200, alice.get("/issues/1.xml")),
        (
            304,
            alice
                .clone()
                .with("If-None-Match", &tag)
                .get("/issues/1.json"),
        ),
        (302, alice.get("/search.json?q=1")),
        (
            201,
            alice.post(
                "/issues.json",
                json!({"issue": {"project_id": "open", "subject": "x"}}),
            ),
        ),
        (
            422,
            alice.post("/issues.json", json!({"issue": {"project_id": "open"}})),
        ),
        (400, alice.post("/issues.json", "{")),
        (401, world.anonymous().get("/issues/1.json")),
        (404, alice.get("/nowhere")),
        (404, alice.get("/nowhere.json")),
        (
            404,
            alice.send(Method::PATCH, "/search.json", None, Vec::new()),
        ),
        (406, alice.get("/issues/1.yaml")),
        (400, world.anonymous().get("/oauth/authorize")),
        (200, alice.get("/")),
        (200, alice.get("/favicon.ico")),
        (200, alice.get("/healthz")),
        (200, alice.get("/readyz")),
    ];
    for (status, answer) in responses {
        assert_eq!(
            answer.header("x-content-type-options"),
            "nosniff",
            "{answer:?}"
        );
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
    let request = Request::builder()
        .uri("/boom.json")
        .body(Body::empty())
        .unwrap();
    let response = RUNTIME.block_on(router.oneshot(request)).unwrap();
    assert_eq!(
        (
            response.status().as_u16(),
            &response.headers()["x-content-type-options"]
        ),
        (500, &"nosniff".parse().unwrap())
    );
}

#[test]
fn responses_with_secrets_have_no_store() {
    let world = World::new();
    let alice = world.as_user("alice");
    let admin = world.as_user("admin");
    let user = json!({"user": {"login": "nina", "firstname": "Nina", "lastname": "New", "mail": "nina@example.net", "generate_password": true}});
    let with_secrets = [
        alice.get("/users/current.json").assert_status(200),
        alice.get("/users/current.xml").assert_status(200),
        alice.get("/users/2.json").assert_status(200),
        alice.get("/my/account.json").assert_status(200),
        alice
            .put("/my/account.json", json!({"user": {"firstname": "Alicia"}}))
            .assert_status(200),
        admin.get("/users/2.json").assert_status(200),
        admin.post("/users.json", user).assert_status(201),
        admin
            .put(
                "/users/7.json",
                json!({"user": {"generate_password": true}}),
            )
            .assert_status(200),
    ];
    for response in with_secrets {
        assert!(response.body.contains("api_key"), "{response:?}");
        assert_eq!(
            (response.header("cache-control"), response.header("etag")),
            ("no-store", ""),
            "{response:?}"
        );
    }
    let without = alice.get("/users/3.json").assert_status(200);
    assert!(
        without.header("cache-control").contains("must-revalidate")
            && !without.header("etag").is_empty(),
        "{without:?}"
    );
    for client in [
        world.as_user("alice"),
        world.anonymous().basic("alice", "alicealice"),
    ] {
        let page = client
            .with("Accept", "text/html")
            .get("/my/account")
            .assert_status(200);
        assert_eq!(
            page.header("cache-control"),
            "no-store",
            "a page of somebody who is logged in, without a session"
        );
    }
}
