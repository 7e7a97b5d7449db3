//! The second factor of the own account: set-up, and the codes of a login.

use super::{code, with_key};
use quarry::domain::administration::setting::Setting;
use quarry::store::accounts::{two_factor, users};
use quarry_world::browser::{Browser, form_field};
use quarry_world::{Response, World, user};

#[test]
fn second_factor_is_set_up_with_a_code_of_the_app() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "alice");
    let other = Browser::logged_in(&world, "alice");
    let page = browser.get("/my/two_factor").assert_status(200);
    browser
        .submit(
            &page,
            "/my/two_factor",
            &[("do", "start"), ("password", "wrong")],
        )
        .assert_status(422);
    browser
        .submit(
            &page,
            "/my/two_factor",
            &[("do", "codes"), ("password", "alicealice")],
        )
        .assert_status(422);
    let start = browser
        .submit(
            &page,
            "/my/two_factor",
            &[("do", "start"), ("password", "alicealice")],
        )
        .assert_status(200);
    assert!(
        start.body.contains("<svg xmlns") && !start.body.contains("<?xml"),
        "{start:?}"
    );
    with_key(&world, "alice");
    let wrong = browser
        .submit(&start, "/my/two_factor/code", &[("code", "000000")])
        .assert_status(422);
    assert!(wrong.body.contains("This code is not valid"), "{wrong:?}");
    let codes = browser
        .submit(&start, "/my/two_factor/code", &[("code", &code(0))])
        .assert_status(200);
    assert_eq!(codes.body.matches("<li><code>").count(), 10);
    other.get("/my/account").assert_status(302);
    assert!(
        browser
            .get("/my/account")
            .assert_status(200)
            .body
            .contains("10 recovery codes")
    );
    let off = browser
        .submit(
            &codes,
            "/my/two_factor",
            &[("do", "off"), ("password", "alicealice")],
        )
        .assert_status(303);
    assert_eq!(off.location(), "/my/account");
    Browser::logged_in(&world, "alice")
        .get("/my/account")
        .assert_status(200);
}

fn log_in_with_code<'w>(world: &'w World, code: &str) -> (Response, Browser<'w>) {
    let browser = Browser::new(world);
    let step = browser
        .log_in("alice", "alicealice", &[("back_url", "/my/account")])
        .assert_status(200);
    browser.get("/my/account").assert_status(302);
    browser.get_json("/users/current.json").assert_status(401);
    let back_url = form_field(&step, "/login/code", "back_url").unwrap();
    let response = browser.submit(
        &step,
        "/login/code",
        &[("code", code), ("back_url", &back_url)],
    );
    (response, browser)
}

#[test]
fn login_with_a_second_factor_needs_its_code_which_is_valid_once() {
    let world = World::new();
    with_key(&world, "alice");
    world.write(|db| {
        users::set_second_factor(db, user("alice"), Some("totp"))?;
        two_factor::set_recovery_codes(db, user("alice"), &["0123456789ab".to_owned()])
    });
    let (response, browser) = log_in_with_code(&world, &code(0));
    assert_eq!(response.assert_status(303).location(), "/my/account");
    browser.get("/my/account").assert_status(200);
    log_in_with_code(&world, &code(0)).0.assert_status(422);
    log_in_with_code(&world, &code(-1)).0.assert_status(422);
    log_in_with_code(&world, &code(9)).0.assert_status(422);
    log_in_with_code(&world, "0123 4567 89AB")
        .0
        .assert_status(303);
    log_in_with_code(&world, "0123456789ab")
        .0
        .assert_status(422);
}

fn attempt_code(world: &World) -> Response {
    let browser = Browser::new(world);
    let step = browser
        .log_in("alice", "alicealice", &[])
        .assert_status(200);
    browser.submit(&step, "/login/code", &[("code", "000000")])
}

#[test]
fn wrong_codes_are_delayed_whatever_the_password() {
    let world = World::new();
    world.set(Setting::FailedLoginsPerAccount, "2");
    with_key(&world, "alice");
    world.write(|db| users::set_second_factor(db, user("alice"), Some("totp")));
    attempt_code(&world).assert_status(422);
    attempt_code(&world).assert_status(422);
    attempt_code(&world).assert_status(429);
}
