//! Warnings about logins in browsers in which the account was not used before.

use super::{MailServer, count, send, world};
use quarry::domain::administration::setting::Setting;
use quarry::jobs::cleanup;
use quarry_world::World;
use quarry_world::browser::{Browser, password};

const COOKIE: &str = "quarry_device";

fn warning(server: &MailServer) -> World {
    let world = world(server);
    world.set(Setting::WarnAboutNewDevices, "1");
    world
}

/// Logs in. Returns how many mails that has put into the outbox.
fn log_in(world: &World, browser: &Browser<'_>, login: &str) -> i64 {
    let before = count(world, "waiting");
    browser
        .log_in(login, &password(login), &[])
        .assert_status(303);
    count(world, "waiting") - before
}

fn log_out(browser: &Browser<'_>) {
    let page = browser.get("/logout").assert_status(200);
    browser.submit(&page, "/logout", &[]).assert_status(303);
}

#[test]
fn setting_is_off_by_default_and_leaves_nothing() {
    let server = MailServer::start();
    let world = world(&server);
    for _ in 0..2 {
        let browser = Browser::new(&world);
        assert_eq!(log_in(&world, &browser, "bob"), 0);
        assert_eq!(browser.cookie(COOKIE), None);
    }
    let stored = "SELECT COUNT(*) FROM known_devices";
    assert_eq!(world.database().value::<i64>(stored), 0);
    world.set(Setting::WarnAboutNewDevices, "1");
    let browser = Browser::new(&world);
    assert_eq!(log_in(&world, &browser, "bob"), 0);
    assert_eq!(world.database().value::<i64>(stored), 1);
    // Switched off again, nothing is kept.
    world.set(Setting::WarnAboutNewDevices, "0");
    cleanup::run_once(&world.app).unwrap();
    assert_eq!(world.database().value::<i64>(stored), 0);
}

#[test]
fn login_in_another_browser_is_told_by_mail_once() {
    let server = MailServer::start();
    let world = warning(&server);
    let first = Browser::new(&world);
    assert_eq!(log_in(&world, &first, "bob"), 0, "nothing is known yet");
    let client = world.anonymous().at_address([10, 3, 2, 1]);
    let second = Browser::with(client);
    assert_eq!(log_in(&world, &second, "bob"), 1);
    assert_eq!(send(&world).sent, 1);
    let mail = server.take().remove(0);
    assert!(mail.to[0].contains("bob"));
    let subject = mail.header("Subject").unwrap();
    assert_eq!(subject, "[Quarry] Somebody logged in with a new device");
    for expected in [
        "Account: bob",
        "2026-11-20 12:00",
        "Address: 10.3.2.1",
        "Unknown browser",
    ] {
        assert!(mail.data.contains(expected), "{expected}\n{}", mail.data);
    }
    for browser in [&first, &second] {
        log_out(browser);
        assert_eq!(log_in(&world, browser, "bob"), 0);
    }
    // A program that sends the password has no device.
    let api = world.anonymous().basic("bob", &password("bob"));
    api.get("/users/current.json").assert_status(200);
    assert_eq!(count(&world, "waiting"), 0);
}

#[test]
fn cookie_of_somebody_else_makes_no_browser_known() {
    let server = MailServer::start();
    let world = warning(&server);
    let own = Browser::new(&world);
    log_in(&world, &own, "bob");
    // Carol knows the password of bob, and logs in with her own device.
    let carol = Browser::new(&world);
    log_in(&world, &carol, "carol");
    log_out(&carol);
    let hers = carol.cookie(COOKIE).unwrap();
    assert_eq!(log_in(&world, &carol, "bob"), 1);
    // A token that somebody has planted in the browser of bob is not taken over.
    let planted = "a".repeat(64);
    for token in [planted.as_str(), &hers] {
        // Only some logins in an hour are told.
        world.sql("UPDATE account_warnings SET created_on = created_on - 3600000001");
        let victim = Browser::new(&world);
        victim.set_cookie(COOKIE, token);
        assert_eq!(log_in(&world, &victim, "bob"), 1, "{token}");
        let attacker = Browser::new(&world);
        attacker.set_cookie(COOKIE, token);
        assert_eq!(log_in(&world, &attacker, "bob"), 1, "{token}");
    }
}

#[test]
fn two_accounts_of_one_browser_are_both_known() {
    let server = MailServer::start();
    let world = warning(&server);
    for login in ["bob", "carol"] {
        log_in(&world, &Browser::new(&world), login);
    }
    let shared = Browser::new(&world);
    for (login, mails) in [("bob", 1), ("carol", 1), ("bob", 0), ("carol", 0)] {
        assert_eq!(log_in(&world, &shared, login), mails, "{login}");
        log_out(&shared);
    }
    let value = shared.cookie(COOKIE).unwrap();
    assert_eq!(value.split('.').count(), 2);
    // The store has no token.
    let stored: i64 = world.database().value(&format!(
        "SELECT COUNT(*) FROM known_devices WHERE token_digest IN ('{}')",
        value.replace('.', "','")
    ));
    assert_eq!(stored, 0);
}

#[test]
fn another_password_makes_other_browsers_unknown() {
    let server = MailServer::start();
    let world = warning(&server);
    let own = Browser::new(&world);
    let other = Browser::new(&world);
    log_in(&world, &own, "bob");
    log_in(&world, &other, "bob");
    let page = own.get("/my/password").assert_status(200);
    let new = "another-password";
    let fields = [
        ("password", password("bob")),
        ("new_password", new.to_owned()),
        ("new_password_confirmation", new.to_owned()),
    ];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(n, v)| (*n, v.as_str())).collect();
    own.submit(&page, "/my/password", &fields)
        .assert_status(303);
    log_out(&own);
    send(&world);
    server.take();
    for (browser, mails) in [(&own, 0), (&other, 1)] {
        browser.log_in("bob", new, &[]).assert_status(303);
        assert_eq!(send(&world).sent, mails);
    }
}

#[test]
fn logins_without_cookies_are_bounded() {
    let server = MailServer::start();
    let world = warning(&server);
    let mails: i64 = (0..25)
        .map(|_| log_in(&world, &Browser::new(&world), "bob"))
        .sum();
    assert_eq!(
        mails, 5,
        "the first login causes no mail, nor do those after the fifth mail"
    );
    let stored: i64 = world.database().value("SELECT COUNT(*) FROM known_devices");
    assert_eq!(stored, 20);
    for wrong in ["", ".", "x", "%", &"a.".repeat(3_000)] {
        let browser = Browser::new(&world);
        browser.set_cookie(COOKIE, wrong);
        log_in(&world, &browser, "bob");
    }
}
