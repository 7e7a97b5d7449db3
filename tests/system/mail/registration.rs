//! Accounts that people create and confirm with a link in a mail.

use super::{MailServer, send, world};
use quarry::domain::accounts::user::UserStatus;
use quarry::domain::administration::setting::Setting;
use quarry::jobs::cleanup;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};

const PATH: &str = "/account/register";
const LINK: &str = "/account/activate?token=";
const SENT: &str = "A mail with a link is on its way to your address.";

fn confirming(server: &MailServer) -> World {
    let world = world(server);
    world.set(Setting::SelfRegistration, "1");
    world
}

pub fn from(world: &World, last: u8) -> Browser<'_> {
    Browser::with(world.anonymous().at_address([10, 4, 4, last]))
}

pub fn register(browser: &Browser<'_>, login: &str, mail: &str) -> Response {
    let page = browser.get(PATH).assert_status(200);
    let fields = [
        ("user[login]", login),
        ("user[firstname]", "Gina"),
        ("user[lastname]", "Guest"),
        ("user[mail]", mail),
        ("password", "ginaginagina"),
        ("password_confirmation", "ginaginagina"),
    ];
    browser.submit(&page, PATH, &fields)
}

fn link(server: &MailServer) -> String {
    let data = server.take().remove(0).data;
    let data = data.replace("=\r\n", "").replace("=3D", "=");
    let (_, rest) = data.split_once(LINK).unwrap_or_else(|| panic!("{data}"));
    format!("{LINK}{}", rest.lines().next().unwrap())
}

fn confirm(browser: &Browser<'_>, link: &str) -> Response {
    let page = browser.get(link);
    let token = link.split_once("token=").unwrap().1;
    browser.submit(&page, "/account/activate", &[("token", token)])
}

fn user(world: &World, login: &str) -> Option<(UserStatus, String)> {
    let catalogue = world.app.store.catalogue().unwrap();
    let id = catalogue.logins.get(login)?;
    let user = &catalogue.users[id];
    Some((user.status, user.mail.clone()))
}

#[test]
fn account_is_used_after_its_link_was_opened_once() {
    let server = MailServer::start();
    let world = confirming(&server);
    let gina = from(&world, 1);
    register(&gina, "gina", "Gina@example.net").assert_status(303);
    gina.get("/login").assert_contains(SENT);
    gina.log_in("gina", "ginaginagina", &[]).assert_status(422);
    assert_eq!(
        user(&world, "gina"),
        Some((UserStatus::Registered, String::new()))
    );
    // It does not wait for an administrator.
    let admin = Browser::logged_in(&world, "admin");
    assert!(!admin.get("/admin").body.contains("to be activated"));
    assert_eq!(send(&world).sent, 1);
    let mail = &server.received()[0];
    assert!(mail.to[0].contains("Gina@example.net"));
    assert_eq!(
        mail.header("Subject"),
        Some("[Quarry] Confirm your account")
    );
    let link = link(&server);
    // Programs follow links: a GET changes nothing.
    gina.get(&link)
        .assert_status(200)
        .assert_contains("You have created the account gina.");
    gina.log_in("gina", "ginaginagina", &[]).assert_status(422);
    confirm(&gina, &link).assert_status(303);
    let confirmed = (UserStatus::Active, "Gina@example.net".to_owned());
    assert_eq!(user(&world, "gina"), Some(confirmed));
    confirm(&gina, &link)
        .assert_status(422)
        .assert_contains("This link is not valid.");
    gina.log_in("gina", "ginaginagina", &[]).assert_status(303);
}

#[test]
fn nobody_learns_whether_an_address_has_an_account() {
    let server = MailServer::start();
    let world = confirming(&server);
    for (last, login, mail) in [(1, "new", "new@example.net"), (2, "spy", "bob@example.org")] {
        let browser = from(&world, last);
        register(&browser, login, mail).assert_status(303);
        browser.get("/login").assert_contains(SENT);
        // The login is taken in both cases.
        register(&browser, login, "other@example.net")
            .assert_status(422)
            .assert_contains("Login has already been taken");
        browser
            .log_in(login, "ginaginagina", &[])
            .assert_status(422);
    }
    assert_eq!(send(&world).sent, 2);
    let mails = server.take();
    let bob = mails
        .iter()
        .find(|mail| mail.to[0].contains("bob"))
        .unwrap();
    assert_eq!(
        bob.header("Subject"),
        Some("[Quarry] You already have an account")
    );
    assert!(!bob.data.contains("token"));
    // Errors of other fields do not tell whether the address is taken.
    let refused = register(&from(&world, 3), "", "bob@example.org").assert_status(422);
    assert!(!refused.body.contains("Email has already been taken"));
    register(&from(&world, 4), "x", "no address")
        .assert_status(422)
        .assert_contains("Email is invalid");
}

#[test]
fn address_belongs_to_who_confirms_it_first() {
    let server = MailServer::start();
    let world = confirming(&server);
    register(&from(&world, 1), "first", "gina@example.net").assert_status(303);
    send(&world);
    let first = link(&server);
    register(&from(&world, 2), "second", "GINA@example.net").assert_status(303);
    send(&world);
    let second = link(&server);
    let browser = from(&world, 3);
    confirm(&browser, &second).assert_status(303);
    confirm(&browser, &first).assert_status(422);
    assert_eq!(user(&world, "first").unwrap().0, UserStatus::Registered);
}

#[test]
fn registrations_are_bounded() {
    let server = MailServer::start();
    let world = confirming(&server);
    // One address gets three mails.
    for number in 1..=5 {
        let login = format!("gina{number}");
        register(&from(&world, number), &login, "victim@example.net").assert_status(303);
        send(&world);
    }
    assert_eq!(server.count(), 3);
    // The login of an account without a mail can be used again: in an hour, its owner gets one.
    assert_eq!(user(&world, "gina5"), None);
    world.sql("UPDATE registrations SET mailed_on = mailed_on - 3600000001 WHERE mailed_on > 0");
    register(&from(&world, 6), "gina5", "victim@example.net").assert_status(303);
    assert_eq!(send(&world).sent, 1);
    let text = server.take().pop().unwrap().data;
    assert!(!text.contains("gina5"), "a login can look like a link");
    let waiting = "SELECT COUNT(*) FROM registrations";
    world.sql(
        "INSERT INTO users (id, type, login, lastname, status, created_on, updated_on) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 996) \
         SELECT i + 1000, 'User', 'waits' || i, 'Waits', 2, 0, 0 FROM n; \
         INSERT INTO registrations (user_id, address, created_on, expires_on) \
         SELECT id, 'x@example.net', 0, 9000000000000000 FROM users WHERE id > 1000; \
         UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
    );
    assert_eq!(world.database().value::<i64>(waiting), 1_000);
    register(&from(&world, 9), "late", "late@example.net")
        .assert_status(422)
        .assert_contains("Too many new accounts wait");
}

#[test]
fn account_that_nobody_confirms_is_deleted() {
    let server = MailServer::start();
    let world = confirming(&server);
    for (last, login) in [(1, "gone"), (2, "kept")] {
        register(&from(&world, last), login, &format!("{login}@example.net")).assert_status(303);
    }
    send(&world);
    let link = link(&server);
    world.sql(
        "UPDATE registrations SET expires_on = 1; UPDATE users SET status = 1 WHERE login = 'kept'; \
         UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
    );
    confirm(&from(&world, 3), &link).assert_status(422);
    cleanup::run_once(&world.app).unwrap();
    assert_eq!(user(&world, "gone"), None);
    assert_eq!(user(&world, "kept").unwrap().0, UserStatus::Active);
    let left: i64 = world.database().value("SELECT COUNT(*) FROM registrations");
    assert_eq!(left, 0);
}

#[test]
fn link_follows_the_setting() {
    let server = MailServer::start();
    let world = confirming(&server);
    register(&from(&world, 1), "gina", "gina@example.net").assert_status(303);
    send(&world);
    let link = link(&server);
    world.set(Setting::SelfRegistration, "2");
    confirm(&from(&world, 2), &link).assert_status(422);
    assert_eq!(user(&world, "gina").unwrap().0, UserStatus::Registered);
}

#[test]
fn while_mail_is_off_an_administrator_approves() {
    let world = World::new();
    world.set(Setting::SelfRegistration, "1");
    let gina = Browser::new(&world);
    gina.get(PATH)
        .assert_contains("An administrator approves new accounts.");
    register(&gina, "gina", "gina@example.net").assert_status(303);
    gina.get("/login")
        .assert_contains("as soon as an administrator has approved it");
    let waiting = (UserStatus::Registered, "gina@example.net".to_owned());
    assert_eq!(user(&world, "gina"), Some(waiting));
    // An address that has an account is refused, as without mail.
    register(&gina, "spy", "gina@example.net")
        .assert_status(422)
        .assert_contains("Email has already been taken");
}

#[test]
fn decision_of_an_administrator_ends_the_link() {
    let server = MailServer::start();
    let world = confirming(&server);
    let gina = from(&world, 1);
    register(&gina, "gina", "gina@example.net").assert_status(303);
    send(&world);
    let link = link(&server);
    let id: i64 = world
        .database()
        .value("SELECT id FROM users WHERE login = 'gina'");
    let path = format!("/users/{id}.json");
    for status in [1, 2] {
        let change = serde_json::json!({"user": {"status": status, "mail": "other@example.net"}});
        world.as_user("admin").put(&path, change).assert_status(200);
    }
    confirm(&gina, &link).assert_status(422);
    // The account is no longer one that expires.
    world.sql("UPDATE registrations SET expires_on = 0");
    cleanup::run_once(&world.app).unwrap();
    let kept = (UserStatus::Registered, "other@example.net".to_owned());
    assert_eq!(user(&world, "gina"), Some(kept));
}
