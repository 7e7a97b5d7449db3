//! `/oauth/*` (RFC 6749, 6750 and 7009): as long as no application is registered, every client is unknown.

use crate::world::World;
use axum::http::Method;

#[test]
fn the_token_endpoint_judges_in_the_order_of_the_rfc() {
    let world = World::new();
    let ask = |form: &str| {
        world.anonymous().send(Method::POST, "/oauth/token", Some("application/x-www-form-urlencoded"), form.as_bytes().to_vec())
    };
    let error = |form: &str, status: u16| ask(form).expect(status).json()["error"].as_str().unwrap().to_owned();
    assert_eq!(error("", 400), "invalid_request");
    assert_eq!(error("grant_type=password&username=a", 400), "unsupported_grant_type");
    assert_eq!(error("grant_type=authorization_code", 400), "invalid_request");
    assert_eq!(error("grant_type=authorization_code&code=x&client_id=y", 401), "invalid_client");
    assert_eq!(error("grant_type=refresh_token&refresh_token=x", 401), "invalid_client");
    assert!(ask("grant_type=refresh_token&refresh_token=x").authenticate.starts_with("Basic"));
    let json = world.anonymous().post("/oauth/token", "{}").expect(400);
    assert_eq!(json.json()["error"], "invalid_request");
}

#[test]
fn tokens_that_were_never_issued_are_worth_nothing() {
    let world = World::new();
    let bearer = world.anonymous().with("Authorization", "Bearer abc");
    assert_eq!(bearer.get("/oauth/token/info").expect(401).json()["error"], "invalid_token");
    let _ = bearer.get("/projects.json").expect(401);
    let form = |body: &str| {
        world.anonymous().send(Method::POST, "/oauth/revoke", Some("application/x-www-form-urlencoded"), body.as_bytes().to_vec())
    };
    assert_eq!(form("token=abc").expect(401).json()["error"], "invalid_client");
    assert_eq!(form("").expect(400).json()["error"], "invalid_request");
}

#[test]
fn nobody_is_sent_to_an_address_that_was_not_registered() {
    let world = World::new();
    let path = "/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fevil.example&response_type=code";
    let answer = world.anonymous().get(path).expect(400);
    assert_eq!(answer.location, "");
    assert!(answer.body.contains("not registered"), "{answer:?}");
}
