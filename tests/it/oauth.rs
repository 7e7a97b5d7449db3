//! `/oauth/*` (RFC 6749, 6750 and 7009) without registered applications, so that every client is unknown.

use crate::world::World;
use axum::http::Method;
use serde_json::json;

#[test]
fn token_endpoint_validates_in_the_order_of_the_rfc() {
    let world = World::new();
    let request_token = |form: &str| {
        world.anonymous().send(Method::POST, "/oauth/token", Some("application/x-www-form-urlencoded"), form.as_bytes().to_vec())
    };
    let error = |form: &str, status: u16| request_token(form).assert_status(status).json()["error"].as_str().unwrap().to_owned();
    assert_eq!(error("", 400), "invalid_request");
    assert_eq!(error("grant_type=password&username=a", 400), "unsupported_grant_type");
    assert_eq!(error("grant_type=authorization_code", 400), "invalid_request");
    assert_eq!(error("grant_type=authorization_code&code=x&client_id=y", 401), "invalid_client");
    assert_eq!(error("grant_type=refresh_token&refresh_token=x", 401), "invalid_client");
    assert!(request_token("grant_type=refresh_token&refresh_token=x").header("www-authenticate").starts_with("Basic"));
    let json = world.anonymous().post("/oauth/token", json!({})).assert_status(400);
    assert_eq!(json.json()["error"], "invalid_request");
}

#[test]
fn unknown_tokens_are_rejected() {
    let world = World::new();
    let bearer = world.anonymous().with("Authorization", "Bearer abc");
    bearer.get("/oauth/token/info").assert_status(401).assert_json_path("/error", "invalid_token");
    bearer.get("/projects.json").assert_status(401);
    let form = |body: &str| {
        world.anonymous().send(Method::POST, "/oauth/revoke", Some("application/x-www-form-urlencoded"), body.as_bytes().to_vec())
    };
    form("token=abc").assert_status(401).assert_json_path("/error", "invalid_client");
    form("").assert_status(400).assert_json_path("/error", "invalid_request");
}

#[test]
fn unregistered_redirect_uri_is_rejected() {
    let world = World::new();
    let path = "/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fevil.example&response_type=code";
    let response = world.anonymous().get(path).assert_status(400);
    assert_eq!(response.location(), "");
    assert!(response.body.contains("not registered"), "{response:?}");
}
