//! Changes of the scopes of an application.

use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::oauth_flow::{App, refresh, tokens, with_token};

#[test]
fn application_that_loses_scopes_takes_them_from_its_tokens() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_project view_issues");
    let tokens = tokens(&world, "bob", &app, "view_project view_issues");
    let client = with_token(&world, &tokens.access);
    client.get("/projects/open.json").assert_status(200);
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/oauth/applications/1").assert_status(200);
    let fields = [
        ("name", "Dashboard"),
        ("redirect_uris", quarry_world::oauth_flow::REDIRECT),
        ("scopes[]", "view_issues"),
        ("password", "adminadmin"),
    ];
    admin
        .submit(&page, "/oauth/applications/1", &fields)
        .assert_status(303);
    client.get("/projects/open.json").assert_status(403);
    client.get("/issues.json").assert_status(200);
    assert_eq!(
        refresh(&world, &app, &tokens.refresh)
            .assert_status(200)
            .json()["scope"],
        "view_issues"
    );
}

#[test]
fn form_names_each_wrong_field_and_keeps_what_was_typed() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/oauth/applications/new").assert_status(200);
    let fields = [
        ("name", ""),
        ("redirect_uris", "http://app.example.net/cb"),
        ("scopes[]", "view_issues"),
        ("password", "adminadmin"),
    ];
    let again = admin
        .submit(&page, "/oauth/applications/new", &fields)
        .assert_status(422);
    for text in [
        "Name cannot be blank",
        "Redirect URI must begin with https://",
        "http://app.example.net/cb",
    ] {
        assert!(again.body.contains(text), "{text} in {again:?}");
    }
    let without_password = admin
        .submit(&page, "/oauth/applications/new", &fields[..3])
        .assert_status(422);
    assert!(
        without_password.body.contains("Enter your password."),
        "{without_password:?}"
    );
}

#[test]
fn secret_is_shown_once_and_replaced_on_request() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_issues");
    let tokens = tokens(&world, "bob", &app, "view_issues");
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/oauth/applications/1").assert_status(200);
    assert!(
        !page.body.contains(app.secret.as_deref().unwrap()),
        "{page:?}"
    );
    admin
        .submit(
            &page,
            "/oauth/applications/1/secret",
            &[("password", "wrong")],
        )
        .assert_status(422);
    let shown = admin
        .submit(
            &page,
            "/oauth/applications/1/secret",
            &[("password", "adminadmin")],
        )
        .assert_status(200);
    let secret = shown
        .body
        .split("id=\"secret\" tabindex=\"0\">")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap()
        .to_owned();
    refresh(&world, &app, &tokens.refresh).assert_status(401);
    refresh(
        &world,
        &App {
            secret: Some(secret),
            ..app
        },
        &tokens.refresh,
    )
    .assert_status(200);
}

#[test]
fn applications_are_for_administrators() {
    let world = World::new();
    App::confidential(&world, "view_issues");
    let bob = Browser::logged_in(&world, "bob");
    for path in [
        "/oauth/applications",
        "/oauth/applications/new",
        "/oauth/applications/1",
        "/oauth/applications/1/delete",
    ] {
        assert_eq!(bob.get(path).status, 403, "{path}");
        assert!(
            Browser::new(&world)
                .get(path)
                .assert_status(302)
                .location()
                .starts_with("/login"),
            "{path}"
        );
    }
    assert_eq!(
        Browser::logged_in(&world, "admin")
            .get("/oauth/applications/9")
            .status,
        404
    );
}
