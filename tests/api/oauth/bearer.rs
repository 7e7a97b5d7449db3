//! `Authorization: Bearer` on the REST API and on pages (RFC 6750).

use quarry_world::browser::Browser;
use quarry_world::oauth_flow::{App, encode, form, refresh, tokens, with_token};
use quarry_world::{Response, World};
use serde_json::json;

const SCOPES: &str = "view_project search_project view_issues add_issues";

#[test]
fn wrong_token_is_challenged_as_the_rfc_says() {
    let world = World::new();
    for path in ["/issues.json", "/issues.xml", "/users/current.json"] {
        let response = with_token(&world, "abc").get(path).assert_status(401);
        let challenge = response.header("www-authenticate");
        assert!(
            challenge.starts_with("Bearer realm=") && challenge.contains("error=\"invalid_token\""),
            "{challenge}"
        );
    }
    let basic = world
        .anonymous()
        .get("/users/current.json")
        .assert_status(401);
    assert!(
        basic.header("www-authenticate").starts_with("Basic"),
        "{basic:?}"
    );
}

#[test]
fn what_the_scopes_lack_is_403_with_insufficient_scope() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let issue = world.issue("open").create();
    let client = with_token(&world, &tokens(&world, "alice", &app, "view_issues").access);
    client
        .get(&format!("/issues/{issue}.json"))
        .assert_status(200);
    let refused = client
        .post(
            "/issues.json",
            json!({"issue": {"project_id": 1, "subject": "Pump"}}),
        )
        .assert_status(403);
    assert!(
        refused
            .header("www-authenticate")
            .contains("error=\"insufficient_scope\""),
        "{refused:?}"
    );
    client.get("/projects/open.json").assert_status(403);
    client.get("/search.json?q=pump").assert_status(403);
    client
        .delete(&format!("/issues/{issue}.json"))
        .assert_status(403);
    let wider = with_token(&world, &tokens(&world, "alice", &app, SCOPES).access);
    wider
        .post(
            "/issues.json",
            json!({"issue": {"project_id": 1, "subject": "Pump"}}),
        )
        .assert_status(201);
    wider
        .get("/search.json?q=pump")
        .assert_status(200)
        .assert_json_path("/total_count", 1);
    wider.get("/projects/open.json").assert_status(200);
}

fn search_page(client: &quarry_world::Client<'_>) -> Response {
    Browser::with(client.clone()).get("/search?q=pump")
}

#[test]
fn lists_totals_facets_and_pages_follow_the_scopes() {
    let world = World::with_projects();
    world.issue("open").subject("Pump in the open").create();
    world
        .issue("secret")
        .subject("Pump in secret")
        .private()
        .create();
    let app = App::confidential(&world, "view_project search_project view_issues view_news");
    let issues = with_token(
        &world,
        &tokens(
            &world,
            "alice",
            &app,
            "view_project search_project view_issues",
        )
        .access,
    );
    let others = with_token(
        &world,
        &tokens(
            &world,
            "alice",
            &app,
            "view_project search_project view_news",
        )
        .access,
    );
    let nothing = with_token(&world, &tokens(&world, "alice", &app, "view_news").access);
    assert_eq!(issues.total_count("/issues.json?status_id=*"), 2);
    assert_eq!(issues.total_count("/search.json?q=pump&issues=1"), 2);
    assert_eq!(others.total_count("/search.json?q=pump"), 0);
    assert_eq!(issues.total_count("/projects.json"), 2);
    assert_eq!(nothing.total_count("/projects.json"), 0);
    let facets = others
        .get("/search.json?q=pump&facets=type,project")
        .assert_status(200);
    assert!(!facets.body.contains("open"), "{facets:?}");
    assert!(
        search_page(&issues)
            .assert_status(200)
            .body
            .contains("in secret")
    );
    assert!(
        !search_page(&others)
            .assert_status(200)
            .body
            .contains("in secret")
    );
    others.get("/issues.json").assert_status(403);
}

#[test]
fn token_neither_shows_nor_changes_what_protects_the_account() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_project view_issues admin");
    for login in ["alice", "admin"] {
        let client = with_token(
            &world,
            &tokens(&world, login, &app, "view_project view_issues admin").access,
        );
        for path in ["/users/current.json", "/my/account.json", "/users/2.json"] {
            let shown = client.get(path).assert_status(200);
            let key = shown.json()["user"]["api_key"].clone();
            assert!(
                key.is_null() && !shown.body.contains(world.key("alice")),
                "{path}: {shown:?}"
            );
        }
        client
            .put(
                "/my/account.json",
                json!({"user": {"firstname": "Changed"}}),
            )
            .assert_status(403);
        client
            .put(
                "/users/current.json",
                json!({"user": {"password": "another-password"}}),
            )
            .assert_status(403);
        client
            .put(
                "/users/2.json",
                json!({"user": {"password": "another-password"}}),
            )
            .assert_status(403);
        let browser = Browser::with(client.clone());
        for path in [
            "/my/account",
            "/my/password",
            "/my/two_factor",
            "/oauth/applications",
            "/login",
        ] {
            assert_eq!(browser.get(path).status, 403, "{path}");
        }
        for path in [
            "/my/api_key",
            "/my/sessions",
            "/my/applications",
            "/users/new",
            "/settings",
        ] {
            assert_eq!(browser.post(path, &[("do", "show")]).status, 403, "{path}");
        }
    }
}

#[test]
fn administrator_needs_the_scope_to_act_as_one() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_project view_issues admin");
    let issue = world.issue("secret").create();
    let limited = with_token(
        &world,
        &tokens(&world, "admin", &app, "view_project view_issues").access,
    );
    limited.get("/users.json").assert_status(403);
    limited.get("/settings.json").assert_status(403);
    limited.delete("/issue_statuses/6.json").assert_status(403);
    limited
        .get(&format!("/issues/{issue}.json"))
        .assert_status(403);
    let full = with_token(&world, &tokens(&world, "admin", &app, "admin").access);
    full.get("/users.json").assert_status(200);
    full.get("/settings.json").assert_status(200);
    full.delete("/issue_statuses/6.json").assert_status(204);
    full.get(&format!("/issues/{issue}.json"))
        .assert_status(200);
    limited
        .clone()
        .with("X-Service-Switch-User", "bob")
        .get("/users/current.json")
        .assert_status(200)
        .assert_json_path("/user/login", "admin");
    full.clone()
        .with("X-Service-Switch-User", "bob")
        .get("/users/current.json")
        .assert_status(200)
        .assert_json_path("/user/login", "bob");
}

#[test]
fn token_ends_with_its_user_and_with_its_application() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let tokens = tokens(&world, "bob", &app, SCOPES);
    let client = with_token(&world, &tokens.access);
    client.get("/issues.json").assert_status(200);
    world
        .as_user("admin")
        .put("/users/3.json", json!({"user": {"status": 3}}))
        .assert_status(200);
    client.get("/issues.json").assert_status(401);
    refresh(&world, &app, &tokens.refresh)
        .assert_status(400)
        .assert_json_path("/error", "invalid_grant");
    world
        .as_user("admin")
        .put("/users/3.json", json!({"user": {"status": 1}}))
        .assert_status(200);
    client.get("/issues.json").assert_status(200);
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/oauth/applications/1/delete").assert_status(200);
    admin
        .submit(
            &page,
            "/oauth/applications/1/delete",
            &[("password", "adminadmin")],
        )
        .assert_status(303);
    client.get("/issues.json").assert_status(401);
    form(
        &world,
        "/oauth/token",
        &format!(
            "grant_type=refresh_token&refresh_token={}&{}",
            encode(&tokens.refresh),
            app.credentials()
        ),
    )
    .assert_status(401);
}

#[test]
fn people_see_and_revoke_what_they_have_allowed() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let bob = tokens(&world, "bob", &app, SCOPES);
    let carol = tokens(&world, "carol", &app, SCOPES);
    let browser = Browser::logged_in(&world, "bob");
    let page = browser.get("/my/account").assert_status(200);
    assert!(
        page.body.contains("Dashboard") && page.body.contains("View issues"),
        "{page:?}"
    );
    browser
        .submit(&page, "/my/applications", &[("id", "1")])
        .assert_status(303);
    with_token(&world, &bob.access)
        .get("/issues.json")
        .assert_status(401);
    refresh(&world, &app, &bob.refresh).assert_status(400);
    with_token(&world, &carol.access)
        .get("/issues.json")
        .assert_status(200);
    assert!(
        !browser
            .get("/my/account")
            .assert_status(200)
            .body
            .contains("Dashboard")
    );
    assert_eq!(
        browser
            .submit(&page, "/my/applications", &[("id", "1")])
            .status,
        404
    );
}
