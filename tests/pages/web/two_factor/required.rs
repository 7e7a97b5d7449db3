//! Two-factor authentication that the settings require or switch off.

use super::{code, with_key};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::PrincipalId;
use quarry::store::accounts::users;
use quarry_world::browser::{Browser, field, form_field, password};
use quarry_world::{Response, World, insert_group, user};

const ME: &str = "/users/current.json";

/// Logs in as far as the set-up of the second factor.
fn log_in_to_set_up<'w>(
    world: &'w World,
    login: &'static str,
    more: &[(&str, &str)],
) -> (Browser<'w>, Response) {
    let browser = Browser::new(world);
    let step = browser
        .log_in(login, &password(login), more)
        .assert_status(200);
    assert!(
        step.body.contains("action=\"/login/two_factor\"") && step.body.contains("<svg xmlns"),
        "{step:?}"
    );
    with_key(world, login);
    (browser, step)
}

#[test]
fn required_second_factor_is_set_up_before_anything_else() {
    let world = World::with_projects();
    world.set(Setting::Twofa, "2");
    let (browser, step) = log_in_to_set_up(&world, "alice", &[("back_url", "/my/account")]);
    for path in ["/", "/my/account", "/my/two_factor", "/issues"] {
        browser.get(path).assert_status(302);
    }
    browser.get_json(ME).assert_status(401);
    let again = browser.get("/login/two_factor").assert_status(200);
    assert!(again.body.contains("<svg xmlns"), "{again:?}");
    browser
        .submit(&step, "/login/code", &[("code", &code(0))])
        .assert_status(303);
    browser
        .submit(
            &step,
            "/login/password",
            &[
                ("new_password", "long enough"),
                ("new_password_confirmation", "long enough"),
            ],
        )
        .assert_status(303);
    browser
        .post("/login/two_factor", &[("code", &code(0))])
        .assert_status(403);
    browser
        .submit(&step, "/login/two_factor", &[("code", " ")])
        .assert_status(422)
        .assert_contains("Enter a code.");
    browser
        .submit(&step, "/login/two_factor", &[("code", "000000")])
        .assert_status(422)
        .assert_contains("This code is not valid.");
    let back_url = form_field(&step, "/login/two_factor", "back_url").unwrap();
    let codes = browser
        .submit(
            &step,
            "/login/two_factor",
            &[("code", &code(0)), ("back_url", &back_url)],
        )
        .assert_status(200);
    assert_eq!(codes.body.matches("<li><code>").count(), 10);
    codes.assert_contains("href=\"/my/account\">Continue</a>");
    browser
        .get("/my/account")
        .assert_status(200)
        .assert_contains("10 recovery codes are left");
    let next = Browser::new(&world)
        .log_in("alice", "alicealice", &[])
        .assert_status(200);
    next.assert_contains("action=\"/login/code\"");
}

#[test]
fn set_up_needs_a_login_of_its_own() {
    let world = World::new();
    Browser::new(&world)
        .get("/login/two_factor")
        .assert_status(302);
    assert_eq!(
        Browser::new(&world)
            .post("/login/two_factor", &[("code", &code(0))])
            .assert_status(303)
            .location(),
        "/login"
    );
    let browser = Browser::logged_in(&world, "alice");
    with_key(&world, "alice");
    let page = browser.get("/my/account");
    assert_eq!(
        browser
            .submit(&page, "/login/two_factor", &[("code", &code(0))])
            .assert_status(303)
            .location(),
        "/login"
    );
    assert!(!world.app.store.catalogue().unwrap().users[&user("alice")].has_second_factor());
}

#[test]
fn requirement_ends_sessions_and_passwords_of_users_without_and_keeps_api_keys() {
    let world = World::new();
    with_key(&world, "bob");
    world.write(|db| users::set_second_factor(db, user("bob"), Some("totp")));
    let alice = Browser::logged_in(&world, "alice");
    let bob = Browser::new(&world);
    let step = bob.log_in("bob", &password("bob"), &[]).assert_status(200);
    bob.submit(&step, "/login/code", &[("code", &code(0))])
        .assert_status(303);
    world
        .anonymous()
        .basic("alice", "alicealice")
        .get(ME)
        .assert_status(200);
    world.set(Setting::Twofa, "2");
    alice.get("/my/account").assert_status(302);
    bob.get("/my/account").assert_status(200);
    for format in ["json", "xml"] {
        let refused = world
            .anonymous()
            .basic("alice", "alicealice")
            .get(&format!("/users/current.{format}"))
            .assert_status(401);
        refused.assert_contains("This account needs two-factor authentication");
    }
    let wrong = world
        .anonymous()
        .basic("alice", "wrong")
        .get(ME)
        .assert_status(401);
    assert!(!wrong.body.contains("two-factor"), "{wrong:?}");
    world.as_user("alice").get(ME).assert_status(200);
    world
        .anonymous()
        .basic("alice", world.key("alice"))
        .get(ME)
        .assert_status(200);
    world.set(Setting::Twofa, "1");
    alice.get("/my/account").assert_status(200);
}

#[test]
fn requirement_may_be_for_administrators_only() {
    let world = World::new();
    world.set(Setting::Twofa, "3");
    Browser::logged_in(&world, "alice")
        .get("/my/account")
        .assert_status(200);
    world
        .anonymous()
        .basic("alice", "alicealice")
        .get(ME)
        .assert_status(200);
    world
        .anonymous()
        .basic("admin", &password("admin"))
        .get(ME)
        .assert_status(401);
    let (browser, step) = log_in_to_set_up(&world, "admin", &[]);
    browser
        .submit(&step, "/login/two_factor", &[("code", &code(0))])
        .assert_status(200);
    browser.get("/admin").assert_status(200);
}

#[test]
fn required_second_factor_cannot_be_switched_off_by_its_user() {
    let world = World::new();
    world.set(Setting::Twofa, "2");
    let (browser, step) = log_in_to_set_up(&world, "alice", &[]);
    browser
        .submit(&step, "/login/two_factor", &[("code", &code(0))])
        .assert_status(200);
    let page = browser.get("/my/two_factor").assert_status(200);
    assert!(!page.body.contains("value=\"off\""), "{page:?}");
    let off = browser
        .submit(
            &page,
            "/my/two_factor",
            &[("do", "off"), ("password", "alicealice")],
        )
        .assert_status(422);
    off.assert_contains("cannot be switched off");
    browser
        .submit(
            &page,
            "/my/two_factor",
            &[("do", "codes"), ("password", "alicealice")],
        )
        .assert_status(200);
}

#[test]
fn nobody_is_asked_for_a_code_while_two_factor_authentication_is_off() {
    let world = World::new();
    with_key(&world, "alice");
    world.write(|db| users::set_second_factor(db, user("alice"), Some("totp")));
    world
        .anonymous()
        .basic("alice", "alicealice")
        .get(ME)
        .assert_status(401);
    world.set(Setting::Twofa, "0");
    world
        .anonymous()
        .basic("alice", "alicealice")
        .get(ME)
        .assert_status(200);
    let browser = Browser::logged_in(&world, "alice");
    let account = browser.get("/my/account").assert_status(200);
    assert!(!account.body.contains("Two-factor"), "{account:?}");
    browser.get("/my/two_factor").assert_status(404);
    browser
        .submit(
            &account,
            "/my/two_factor",
            &[("do", "off"), ("password", "alicealice")],
        )
        .assert_status(404);
    world.set(Setting::Twofa, "1");
    world
        .anonymous()
        .basic("alice", "alicealice")
        .get(ME)
        .assert_status(401);
}

#[test]
fn new_password_comes_before_the_second_factor_and_a_kept_form_after_it() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get("/");
    world.set(Setting::Twofa, "2");
    world.sql(&format!(
        "UPDATE users SET must_change_passwd = 1 WHERE id = {}",
        user("alice").0
    ));
    let login = browser
        .submit(&page, "/my/account", &[("notes", "two\nlines")])
        .assert_status(401);
    let path = field(&login, "posted_path").unwrap();
    let body = field(&login, "posted_body").unwrap();
    let form = [
        ("posted_path", path.as_str()),
        ("posted_body", body.as_str()),
    ];
    let with = |fields: &[(&'static str, &'static str)]| [fields, &form].concat();
    let step = browser
        .submit(
            &login,
            "/login",
            &with(&[("username", "alice"), ("password", "alicealice")]),
        )
        .assert_status(200)
        .assert_contains("action=\"/login/password\"");
    let new = [
        ("new_password", "another password"),
        ("new_password_confirmation", "another password"),
    ];
    let step = browser
        .submit(&step, "/login/password", &with(&new))
        .assert_status(200)
        .assert_contains("action=\"/login/two_factor\"");
    with_key(&world, "alice");
    let code = code(0);
    let resumed = browser
        .submit(
            &step,
            "/login/two_factor",
            &[("code", &*code), form[0], form[1]],
        )
        .assert_status(200);
    assert_eq!(resumed.body.matches("<li><code>").count(), 10);
    resumed.assert_contains(">\ntwo\nlines</textarea>");
    browser.get("/my/account").assert_status(200);
}

#[test]
fn wrong_codes_of_the_set_up_are_delayed() {
    let world = World::new();
    world.set(Setting::Twofa, "2");
    world.set(Setting::FailedLoginsPerAccount, "2");
    let (browser, step) = log_in_to_set_up(&world, "alice", &[]);
    for status in [422, 422, 429] {
        browser
            .submit(&step, "/login/two_factor", &[("code", "000000")])
            .assert_status(status);
    }
}

#[test]
fn administrator_changes_the_policy_with_the_password() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    let path = "/settings?tab=authentication";
    let page = browser
        .get(path)
        .assert_status(200)
        .assert_contains("Required for administrators");
    browser
        .submit(&page, path, &[("twofa", "2")])
        .assert_status(422);
    browser
        .submit(
            &page,
            path,
            &[("twofa", "4"), ("password", &password("admin"))],
        )
        .assert_status(422);
    browser
        .submit(
            &page,
            path,
            &[("twofa", "2"), ("password", &password("admin"))],
        )
        .assert_status(303);
    assert_eq!(
        world.app.store.catalogue().unwrap().setting(Setting::Twofa),
        "2"
    );
    browser.get(path).assert_status(302);
    Browser::logged_in(&World::new(), "alice")
        .get(path)
        .assert_status(403);
}

fn put_group(world: &World, group: PrincipalId, fields: &str) -> Response {
    world
        .as_user("admin")
        .put(
            &format!("/groups/{}.json", group.0),
            format!("{{\"group\":{fields}}}"),
        )
        .assert_status(200)
}

fn may_log_in(world: &World, login: &str) -> bool {
    world
        .anonymous()
        .basic(login, &password(login))
        .get(ME)
        .status
        == 200
}

#[test]
fn group_requires_a_second_factor_of_its_users() {
    let world = World::new();
    let group = world.write(|db| {
        insert_group(
            db,
            "Safe",
            &[user("alice")],
            "2026-01-01T00:00:00Z".parse().unwrap(),
        )
    });
    assert!(may_log_in(&world, "alice") && may_log_in(&world, "bob"));
    let session = Browser::logged_in(&world, "alice");
    let shown = put_group(&world, group, "{\"twofa_required\":true}");
    assert!(
        !shown.body.contains("twofa_required"),
        "as in Redmine: {shown:?}"
    );
    assert!(!may_log_in(&world, "alice") && may_log_in(&world, "bob"));
    session.get("/my/account").assert_status(302);
    let (browser, step) = log_in_to_set_up(&world, "alice", &[]);
    browser
        .submit(&step, "/login/two_factor", &[("code", &code(0))])
        .assert_status(200);
    browser.get("/my/account").assert_status(200);
    let page = browser.get("/my/two_factor").assert_status(200);
    browser
        .submit(
            &page,
            "/my/two_factor",
            &[("do", "off"), ("password", "alicealice")],
        )
        .assert_status(422);
    put_group(&world, group, "{\"name\":\"Safer\"}");
    put_group(&world, group, "{\"user_ids\":[3]}");
    assert!(
        !may_log_in(&world, "bob"),
        "who joins the group needs one, too"
    );
    world.set(Setting::Twofa, "3");
    assert!(!may_log_in(&world, "bob"));
    world.set(Setting::Twofa, "0");
    assert!(may_log_in(&world, "bob"));
    world.set(Setting::Twofa, "1");
    put_group(&world, group, "{\"twofa_required\":false}");
    assert!(may_log_in(&world, "bob"));
}
