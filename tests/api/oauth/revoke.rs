//! `POST /oauth/revoke` (RFC 7009).

use quarry_world::oauth_flow::{App, form, refresh, tokens, tokens_in, with_token};
use quarry_world::{Response, World};

const SCOPES: &str = "view_issues";

fn revoke(world: &World, app: &App, token: &str) -> Response {
    form(
        world,
        "/oauth/revoke",
        &format!("token={token}&{}", app.credentials()),
    )
}

#[test]
fn client_revokes_its_own_tokens_only() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let other = App::confidential(&world, SCOPES);
    let first = tokens(&world, "bob", &app, SCOPES);
    revoke(&world, &other, &first.access).assert_status(200);
    with_token(&world, &first.access)
        .get("/issues.json")
        .assert_status(200);
    revoke(&world, &app, &first.access).assert_status(200);
    with_token(&world, &first.access)
        .get("/issues.json")
        .assert_status(401);
    let second = tokens_in(&refresh(&world, &app, &first.refresh).assert_status(200));
    revoke(&world, &app, &second.refresh).assert_status(200);
    with_token(&world, &second.access)
        .get("/issues.json")
        .assert_status(401);
    refresh(&world, &app, &second.refresh).assert_status(400);
    revoke(&world, &app, "unknown").assert_status(200);
}

#[test]
fn client_must_authenticate() {
    let world = World::new();
    form(&world, "/oauth/revoke", "token=abc")
        .assert_status(401)
        .assert_json_path("/error", "invalid_client");
    form(&world, "/oauth/revoke", "")
        .assert_status(400)
        .assert_json_path("/error", "invalid_request");
}
