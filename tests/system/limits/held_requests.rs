//! Requests whose body arrives after their credentials have been taken away.

use axum::http::Method;
use quarry::app::App;
use quarry::domain::clock::SystemEntropy;
use quarry::store::accounts::users;
use quarry_world::browser::{Browser, csrf_token, password};
use quarry_world::oauth_flow::{App as Application, tokens};
use quarry_world::{Client, World, run_sql, user};

const BODY: &str = r#"{"issue":{"notes":"too late"}}"#;

fn notes(world: &World) -> usize {
    world
        .as_user("admin")
        .get("/issues/1.json?include=journals")
        .assert_status(200)
        .array("/issue/journals")
        .len()
}

/// Sets another password, which ends all sessions.
fn set_password(app: &App) {
    let hash = quarry::domain::accounts::password::hash("Second-password", &SystemEntropy).unwrap();
    let later = app.clock.now() + jiff::SignedDuration::from_secs(1);
    app.store
        .write(move |db| users::set_password(db, user("alice"), &hash, later))
        .unwrap();
}

fn put_after(client: &Client<'_>, meanwhile: impl FnOnce(&App) + Send + 'static) -> u16 {
    client
        .send_after(
            Method::PUT,
            "/issues/1.json",
            "application/json",
            BODY.into(),
            meanwhile,
        )
        .status
}

fn end_tokens(app: &App) {
    run_sql(app, "DELETE FROM oauth_tokens");
}

fn reset_key_of_alice(app: &App) {
    app.store
        .write(|db| users::set_api_key(db, user("alice"), &"f".repeat(64), ""))
        .unwrap();
}

#[test]
fn credentials_that_end_before_the_body_arrives_change_nothing() {
    let world = World::with_projects();
    world.issue("open").create();
    let browser = Browser::logged_in(&world, "alice");
    let token = csrf_token(&browser.get("/my/account"));
    let cookie = format!(
        "quarry_session={}",
        browser.cookie("quarry_session").unwrap()
    );
    let with_session = world
        .anonymous()
        .with("Cookie", &cookie)
        .with("X-CSRF-Token", &token);
    assert_eq!(put_after(&with_session, |_| {}), 200);
    assert_eq!(notes(&world), 1);
    assert_eq!(put_after(&with_session, set_password), 401, "a session");

    let app = Application::confidential(
        &world,
        "view_project view_issues edit_issues add_issue_notes",
    );
    let first = quarry::domain::accounts::password::hash("alicealice", &SystemEntropy).unwrap();
    world.write(move |db| {
        users::set_password(db, user("alice"), &first, jiff::Timestamp::UNIX_EPOCH)
    });
    let access = tokens(
        &world,
        "alice",
        &app,
        "view_project view_issues edit_issues add_issue_notes",
    )
    .access;
    let with_token = world
        .anonymous()
        .with("Authorization", &format!("Bearer {access}"));
    assert_eq!(put_after(&with_token, end_tokens), 401, "an access token");

    let with_password = world.anonymous().basic("alice", &password("alice"));
    assert_eq!(put_after(&with_password, set_password), 401, "a password");

    assert_eq!(
        put_after(&world.as_user("alice"), reset_key_of_alice),
        401,
        "an API key"
    );
    assert_eq!(notes(&world), 1);
}

#[test]
fn step_of_a_login_ends_with_its_session() {
    let world = World::new();
    world.write(|db| users::set_must_change_password(db, user("alice"), true));
    let browser = Browser::new(&world);
    let step = browser
        .log_in("alice", "alicealice", &[])
        .assert_status(200);
    let client = world.anonymous().with("Accept", "text/html");
    let client = client.with(
        "Cookie",
        &format!(
            "quarry_session={}",
            browser.cookie("quarry_session").unwrap()
        ),
    );
    let body = format!(
        "authenticity_token={}&new_password=Attackers-one&new_password_confirmation=Attackers-one",
        csrf_token(&step)
    );
    let form = "application/x-www-form-urlencoded";
    let refused = client.send_after(
        Method::POST,
        "/login/password",
        form,
        body.into_bytes(),
        set_password,
    );
    assert_eq!(refused.status, 401, "{refused:?}");
    Browser::new(&world)
        .log_in("alice", "Attackers-one", &[])
        .assert_status(422);
}
