//! `POST /oauth/token` and `GET /oauth/token/info`.

use quarry::domain::administration::setting::Setting;
use quarry_world::oauth_flow::{
    App, REDIRECT, VERIFIER, basic, code_of, encode, exchange, form, refresh, send_form, tokens,
    tokens_in, with_token,
};
use quarry_world::{Response, World};
use serde_json::json;

fn error(world: &World, fields: &str, status: u16) -> String {
    let response = form(world, "/oauth/token", fields)
        .assert_status(status)
        .assert_header("cache-control", "no-store");
    response.json()["error"].as_str().unwrap().to_owned()
}

#[test]
fn request_is_validated_in_the_order_of_the_rfc() {
    let world = World::new();
    assert_eq!(error(&world, "", 400), "invalid_request");
    assert_eq!(
        error(&world, "grant_type=password&username=a", 400),
        "unsupported_grant_type"
    );
    assert_eq!(
        error(&world, "grant_type=client_credentials", 400),
        "unsupported_grant_type"
    );
    assert_eq!(
        error(&world, "grant_type=authorization_code", 400),
        "invalid_request"
    );
    assert_eq!(
        error(
            &world,
            "grant_type=authorization_code&code=x&code=y&client_id=z",
            400
        ),
        "invalid_request"
    );
    assert_eq!(
        error(
            &world,
            "grant_type=authorization_code&code=x&client_id=y",
            401
        ),
        "invalid_client"
    );
    assert_eq!(
        error(&world, "grant_type=refresh_token&refresh_token=x", 401),
        "invalid_client"
    );
    let challenge = form(
        &world,
        "/oauth/token",
        "grant_type=refresh_token&refresh_token=x",
    );
    assert!(
        challenge.header("www-authenticate").starts_with("Basic"),
        "{challenge:?}"
    );
    let json = world
        .anonymous()
        .post(
            "/oauth/token",
            json!({ "grant_type": "authorization_code" }),
        )
        .assert_status(400);
    assert_eq!(json.json()["error"], "invalid_request");
}

#[test]
fn code_is_exchanged_for_tokens_that_no_cache_keeps() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_project view_issues");
    let code = code_of(&world, "bob", &app, "view_project view_issues");
    let response = exchange(&world, &app, &code)
        .assert_status(200)
        .assert_header("cache-control", "no-store");
    let body = response.json();
    assert_eq!(
        (&body["token_type"], &body["expires_in"], &body["scope"]),
        (
            &json!("Bearer"),
            &json!(7200),
            &json!("view_project view_issues")
        )
    );
    assert_eq!(body["created_at"], json!(1_795_176_000));
    let tokens = tokens_in(&response);
    with_token(&world, &tokens.access)
        .get("/users/current.json")
        .assert_status(200)
        .assert_json_path("/user/login", "bob");
    let info = with_token(&world, &tokens.access)
        .get("/oauth/token/info")
        .assert_status(200)
        .json();
    assert_eq!(
        (&info["resource_owner_id"], &info["scope"]),
        (&json!(3), &json!(["view_project", "view_issues"]))
    );
    assert_eq!(
        (&info["application"]["uid"], &info["expires_in"]),
        (&json!(app.client_id), &json!(7200))
    );
}

fn code_fields(code: &str) -> String {
    format!(
        "grant_type=authorization_code&code={code}&redirect_uri={}&code_verifier={VERIFIER}",
        encode(REDIRECT)
    )
}

fn post_with_basic(world: &World, app: &App, secret: &str, fields: &str) -> Response {
    send_form(
        &world
            .anonymous()
            .with("Authorization", &basic(&app.client_id, secret)),
        "/oauth/token",
        fields,
    )
}

#[test]
fn client_authenticates_by_basic_or_in_the_form_but_not_both() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_issues");
    let secret = app.secret.clone().unwrap();
    let code = code_of(&world, "bob", &app, "view_issues");
    let both = post_with_basic(
        &world,
        &app,
        &secret,
        &format!("{}&client_secret={secret}", code_fields(&code)),
    )
    .assert_status(400);
    assert_eq!(both.json()["error"], "invalid_request");
    let other = post_with_basic(
        &world,
        &app,
        &secret,
        &format!("{}&client_id=somebody", code_fields(&code)),
    )
    .assert_status(400);
    assert_eq!(other.json()["error"], "invalid_request");
    let same = post_with_basic(
        &world,
        &app,
        &secret,
        &format!("{}&client_id={}", code_fields(&code), app.client_id),
    );
    assert_eq!(same.status, 200, "{same:?}");
}

fn refresh_with_scope(world: &World, app: &App, token: &str, scope: &str) -> Response {
    form(
        world,
        "/oauth/token",
        &format!(
            "grant_type=refresh_token&refresh_token={token}&scope={scope}&{}",
            app.credentials()
        ),
    )
}

#[test]
fn refresh_rotates_and_narrows_but_never_widens() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_project view_issues");
    let first = tokens(&world, "bob", &app, "view_project view_issues");
    assert_eq!(
        refresh_with_scope(&world, &app, &first.refresh, "edit_issues")
            .assert_status(400)
            .json()["error"],
        "invalid_scope"
    );
    assert_eq!(
        refresh_with_scope(&world, &app, &first.refresh, "fly")
            .assert_status(400)
            .json()["error"],
        "invalid_scope"
    );
    let second = refresh_with_scope(&world, &app, &first.refresh, "view_issues").assert_status(200);
    assert_eq!(second.json()["scope"], "view_issues");
    let second = tokens_in(&second);
    assert!(second.access != first.access && second.refresh != first.refresh);
    with_token(&world, &second.access)
        .get("/projects/open.json")
        .assert_status(403);
    let third = refresh(&world, &app, &second.refresh).assert_status(200);
    assert_eq!(
        third.json()["scope"],
        "view_project view_issues",
        "the grant keeps its scopes"
    );
}

#[test]
fn unknown_tokens_are_rejected() {
    let world = World::new();
    let bearer = with_token(&world, "abc");
    let info = bearer
        .get("/oauth/token/info")
        .assert_status(401)
        .assert_json_path("/error", "invalid_token");
    assert!(
        info.header("www-authenticate").starts_with("Bearer"),
        "{info:?}"
    );
    let missing = world
        .anonymous()
        .get("/oauth/token/info")
        .assert_status(401);
    assert_eq!(
        missing.header("www-authenticate"),
        "Bearer realm=\"Quarry API\""
    );
}

#[test]
fn nothing_works_while_the_rest_api_is_disabled() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_issues");
    let tokens = tokens(&world, "bob", &app, "view_issues");
    world.set(Setting::RestApiEnabled, "0");
    refresh(&world, &app, &tokens.refresh)
        .assert_status(503)
        .assert_json_path("/error", "temporarily_unavailable");
    with_token(&world, &tokens.access)
        .get("/oauth/token/info")
        .assert_status(503);
    with_token(&world, &tokens.access)
        .get("/issues.json")
        .assert_status(401);
    world
        .anonymous()
        .get("/.well-known/oauth-authorization-server")
        .assert_status(503);
    let page = quarry_world::browser::Browser::logged_in(&world, "bob")
        .get(&quarry_world::oauth_flow::authorize_path(
            &app,
            "view_issues",
        ))
        .assert_status(400);
    assert!(page.body.contains("REST API is disabled"), "{page:?}");
    world.set(Setting::RestApiEnabled, "1");
    refresh(&world, &app, &tokens.refresh).assert_status(200);
}
