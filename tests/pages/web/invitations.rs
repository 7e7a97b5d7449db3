//! Invitations: a link with which a new user chooses a password.

use super::members::roles;
use quarry_world::browser::Browser;
use quarry_world::{DEVELOPER, Response, World};

const NEW: &str = "/invitations/new";

/// Invites gina into the project `open`, and returns the token of the link.
fn invite(browser: &Browser<'_>) -> String {
    let page = browser.get(NEW).assert_status(200);
    let form = [
        ("user[mail]", "gina@example.org"),
        ("user[firstname]", "Gina"),
        ("user[lastname]", "Guest"),
        ("membership[project_id]", "1"),
        ("membership[role_ids][]", "4"),
    ];
    token(&browser.submit(&page, NEW, &form).assert_status(200))
}

/// Returns the token of the first link of the page.
pub fn token(page: &Response) -> String {
    let rest = page.body.split("/invitation?token=").nth(1).unwrap();
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

fn accept(browser: &Browser<'_>, token: &str, password: &str) -> Response {
    let page = browser.get(&format!("/invitation?token={token}"));
    let page = page.assert_status(200);
    let form = [
        ("token", token),
        ("password", password),
        ("password_confirmation", password),
    ];
    browser.submit(&page, "/invitation", &form)
}

#[test]
fn invited_user_chooses_a_password_and_is_a_member() {
    let world = World::with_projects();
    let token = invite(&Browser::logged_in(&world, "admin"));
    let gina = Browser::new(&world);
    let page = gina.get(&format!("/invitation?token={token}"));
    page.assert_contains("Welcome, Gina Guest")
        .assert_contains("Your login is gina.");
    let wrong = accept(&gina, &token, "short").assert_status(422);
    wrong.assert_contains("id=\"password-error\"");
    let page = gina.get(&format!("/invitation?token={token}"));
    let form = [
        ("token", token.as_str()),
        ("password", "ginaginagina"),
        ("password_confirmation", "ginaginaginx"),
    ];
    gina.submit(&page, "/invitation", &form)
        .assert_status(422)
        .assert_contains("The two passwords differ.");
    let accepted = accept(&gina, &token, "ginaginagina");
    assert_eq!(accepted.assert_status(303).location(), "/");
    gina.get("/projects/open/issues").assert_status(200);
    let id = world.app.store.catalogue().unwrap().logins["gina"];
    assert_eq!(roles(&world, id), [DEVELOPER]);
    // The link works once; the password from now on.
    let stranger = Browser::new(&world);
    let page = stranger.get(&format!("/invitation?token={token}"));
    page.assert_status(200).assert_contains("not valid");
    accept(&stranger, &token, "otherother1").assert_status(422);
    let login = stranger.get("/login").assert_status(200);
    let form = [("username", "gina"), ("password", "ginaginagina")];
    stranger.submit(&login, "/login", &form).assert_status(303);
}

#[test]
fn link_does_not_work_when_it_is_old_replaced_or_the_user_is_locked() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let first = invite(&admin);
    let id = world.app.store.catalogue().unwrap().logins["gina"];
    let edit = admin.get(&format!("/users/{id}/edit")).assert_status(200);
    assert!(edit.body.contains("New invitation link"));
    let renewed = admin.submit(&edit, &format!("/users/{id}/invitation"), &[]);
    let second = token(&renewed.assert_status(200));
    let gina = Browser::new(&world);
    accept(&gina, &first, "ginaginagina").assert_status(422);
    world.sql("UPDATE users SET status = 3 WHERE login = 'gina'");
    accept(&gina, &second, "ginaginagina").assert_status(422);
    world.sql("UPDATE users SET status = 1 WHERE login = 'gina'");
    world.sql("UPDATE invitations SET expires_on = created_on");
    accept(&gina, &second, "ginaginagina").assert_status(422);
    for token in ["", "0", &"f".repeat(64), &"x".repeat(10_000)] {
        let page = gina.get(&format!("/invitation?token={token}"));
        page.assert_status(200).assert_contains("not valid");
    }
    // Neither an administrator nor somebody who has a password gets a link.
    world.sql("UPDATE users SET admin = 1 WHERE login = 'gina'");
    let page = admin.get(&format!("/users/{id}/edit")).assert_status(200);
    assert!(!page.body.contains("New invitation link"));
    admin
        .submit(&page, &format!("/users/{id}/invitation"), &[])
        .assert_status(422);
    let page = admin.get("/users/2/edit").assert_status(200);
    assert!(!page.body.contains("New invitation link"));
    admin
        .submit(&page, "/users/2/invitation", &[])
        .assert_status(422);
}

#[test]
fn only_administrators_invite() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    alice.get(NEW).assert_status(403);
    let page = alice.get("/").assert_status(200);
    let form = [
        ("user[mail]", "gina@example.org"),
        ("user[firstname]", "Gina"),
        ("user[lastname]", "Guest"),
    ];
    alice.submit(&page, NEW, &form).assert_status(403);
    alice
        .submit(&page, "/users/3/invitation", &[])
        .assert_status(403);
    assert_eq!(world.app.store.catalogue().unwrap().users.len(), 6);
}

#[test]
fn invalid_invitation_says_what_is_wrong_and_keeps_what_was_typed() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get(NEW).assert_status(200);
    let form = [
        ("user[mail]", "alice@example.net"),
        ("user[login]", "alice"),
        ("user[firstname]", "Gina"),
        ("membership[project_id]", "1"),
        ("user[admin]", "1"),
    ];
    let again = admin.submit(&page, NEW, &form).assert_status(422);
    for expected in [
        "id=\"user[login]-error\"",
        "id=\"user[lastname]-error\"",
        "id=\"membership[role_ids][]-error\"",
        "value=\"Gina\"",
    ] {
        assert!(again.body.contains(expected), "{expected}: {again:?}");
    }
    let missing = [
        ("user[mail]", "gina@example.org"),
        ("user[firstname]", "Gina"),
        ("user[lastname]", "Guest"),
        ("membership[project_id]", "99"),
        ("membership[role_ids][]", "4"),
    ];
    admin
        .submit(&page, NEW, &missing)
        .assert_status(422)
        .assert_contains("id=\"membership[project_id]-error\">Project is invalid");
    let form = [
        ("user[mail]", "gina@example.org"),
        ("user[firstname]", "Gina"),
        ("user[lastname]", "Guest"),
        ("user[admin]", "1"),
        ("user[password]", "ginaginagina"),
    ];
    admin.submit(&page, NEW, &form).assert_status(200);
    let catalogue = world.app.store.catalogue().unwrap();
    let gina = catalogue.users.values().find(|user| user.login == "gina");
    assert!(!gina.unwrap().admin);
}
