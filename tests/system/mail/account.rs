//! Mails about the own account: lost passwords, invitations, warnings.

use super::{MailServer, count, send, world};
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::{Browser, password};
use quarry_world::{Response, World};

const LOST: &str = "/account/lost_password";

/// Returns what comes after the base address of the service in the last mail, up to the end of the
/// line.
pub fn link(server: &MailServer, path: &str) -> String {
    let mails = server.received();
    let data = &mails.last().unwrap().data;
    // Quoted-printable: a line that ends with `=` goes on.
    let data = data.replace("=\r\n", "").replace("=3D", "=");
    let (_, rest) = data.split_once(path).unwrap_or_else(|| panic!("{data}"));
    format!("{path}{}", rest.lines().next().unwrap())
}

pub fn mail_of(world: &World, login: &str) -> String {
    let sql = format!("SELECT mail FROM users WHERE login = '{login}'");
    world.database().value(&sql)
}

pub fn ask(browser: &Browser<'_>, mail: &str) -> Response {
    let page = browser.get(LOST).assert_status(200);
    browser.submit(&page, LOST, &[("mail", mail)])
}

fn choose(browser: &Browser<'_>, link: &str, password: &str) -> Response {
    let page = browser.get(link);
    let token = link.split_once("token=").unwrap().1;
    let fields = [
        ("token", token),
        ("password", password),
        ("password_confirmation", password),
    ];
    browser.submit(&page, LOST, &fields)
}

#[test]
fn lost_password_is_replaced_with_a_link_that_works_once() {
    let server = MailServer::start();
    let world = world(&server);
    let browser = Browser::new(&world);
    let bob = Browser::logged_in(&world, "bob");
    browser
        .get("/login")
        .assert_contains("href=\"/account/lost_password\"");
    ask(&browser, &mail_of(&world, "bob").to_uppercase()).assert_status(303);
    let stored: String = world
        .database()
        .value("SELECT COALESCE(data_json, '') FROM mails");
    assert_eq!(stored, "");
    assert_eq!(
        world
            .database()
            .value::<i64>("SELECT COUNT(*) FROM lost_passwords"),
        0
    );
    assert_eq!(send(&world).sent, 1);
    let link = link(&server, LOST);
    browser
        .get(&link)
        .assert_status(200)
        .assert_contains("Choose another password");
    choose(&browser, &link, "short").assert_status(422);
    choose(&browser, &link, "another-password").assert_status(303);
    // The sessions of the user have ended, and the link works no more.
    assert!(bob.get("/my/account").location().starts_with("/login"));
    browser
        .get(&link)
        .assert_contains("This link is not valid.");
    choose(&browser, &link, "one-more-password").assert_status(422);
    browser
        .log_in("bob", &password("bob"), &[])
        .assert_status(422);
    browser
        .log_in("bob", "another-password", &[])
        .assert_status(303);
    // The user is told.
    assert_eq!(send(&world).sent, 1);
    let told = &server.received()[1];
    assert_eq!(
        told.header("Subject"),
        Some("[Quarry] Your password was changed")
    );
}

#[test]
fn answer_does_not_tell_whether_an_account_exists() {
    let server = MailServer::start();
    let world = world(&server);
    let bob = mail_of(&world, "bob");
    let erin = mail_of(&world, "erin");
    let pages: Vec<String> = [bob.as_str(), "nobody@example.org", &erin, "no address", ""]
        .into_iter()
        .enumerate()
        .map(|(index, mail)| {
            let address = [10, 1, 1, u8::try_from(index).unwrap()];
            let browser = Browser::with(world.anonymous().at_address(address));
            let reply = ask(&browser, mail).assert_status(303);
            assert_eq!(reply.location(), "/login");
            let page = browser.get("/login").body;
            let token = quarry_world::browser::csrf_token(&browser.get("/login"));
            page.replace(&token, "")
        })
        .collect();
    assert!(pages[0].contains("If an account has this mail address"));
    for page in &pages[1..] {
        let flash = |page: &str| {
            page.split("class=\"notice")
                .nth(1)
                .map(|rest| rest[..300].to_owned())
        };
        assert_eq!(flash(page), flash(&pages[0]));
    }
    let report = send(&world);
    assert_eq!((report.sent, report.skipped), (1, 2));
}

#[test]
fn requests_are_limited_by_account_and_address() {
    let server = MailServer::start();
    let world = world(&server);
    let bob = mail_of(&world, "bob");
    let from = |last: u8| Browser::with(world.anonymous().at_address([10, 2, 2, last]));
    // While a mail waits, no other is added.
    ask(&from(1), &bob).assert_status(303);
    ask(&from(2), &bob).assert_status(303);
    assert_eq!(count(&world, "waiting"), 1);
    assert_eq!(send(&world).sent, 1);
    // At most three links are valid.
    for last in 3..8 {
        ask(&from(last), &bob).assert_status(303);
        send(&world);
    }
    assert_eq!(server.count(), 3);
    // One address cannot ask for many.
    let one = from(9);
    let statuses: Vec<u16> = (0..8).map(|_| ask(&one, "x@example.org").status).collect();
    assert_eq!(
        statuses.iter().filter(|status| **status == 429).count(),
        3,
        "{statuses:?}"
    );
}

#[test]
fn link_needs_an_active_user_and_the_setting() {
    let server = MailServer::start();
    let world = world(&server);
    let browser = Browser::new(&world);
    ask(&browser, &mail_of(&world, "bob")).assert_status(303);
    send(&world);
    let link = link(&server, LOST);
    world.sql("UPDATE users SET status = 3 WHERE login = 'bob'");
    browser
        .get(&link)
        .assert_contains("This link is not valid.");
    world.sql("UPDATE users SET status = 1 WHERE login = 'bob'");
    world.sql("UPDATE lost_passwords SET expires_on = expires_on - 3600000000");
    browser
        .get(&link)
        .assert_contains("This link is not valid.");
    world.sql("UPDATE lost_passwords SET expires_on = expires_on + 3600000000");
    world.set(Setting::LostPassword, "0");
    browser
        .get(&link)
        .assert_contains("Passwords are not replaced by mail here.");
    let page = browser.get("/login");
    assert!(!page.body.contains(LOST));
    browser
        .submit(&page, LOST, &[("mail", "x@example.org")])
        .assert_status(403);
    // Without mail, nothing is offered.
    let world = World::with_projects();
    let browser = Browser::new(&world);
    assert!(!browser.get("/login").body.contains(LOST));
    browser
        .get(LOST)
        .assert_contains("Passwords are not replaced by mail here.");
}

#[test]
fn invitation_is_sent_by_mail() {
    let server = MailServer::start();
    let world = world(&server);
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/invitations/new").assert_status(200);
    let invite = |mail: &str, send_mail: &str| {
        let fields = [
            ("user[mail]", mail),
            ("user[firstname]", "Ann"),
            ("user[lastname]", "Lee"),
            ("send_mail", send_mail),
        ];
        admin.submit(&page, "/invitations/new", &fields)
    };
    invite("ann@example.org", "1").assert_status(303);
    admin
        .get("/users")
        .assert_contains("An invitation is sent to ann@example.org.");
    assert_eq!(send(&world).sent, 1);
    let link = link(&server, "/invitation?token=");
    let browser = Browser::new(&world);
    browser
        .get(&link)
        .assert_status(200)
        .assert_contains("Your login is ann.");
    // Without the switch, the page shows the link.
    invite("ben@example.org", "0")
        .assert_status(200)
        .assert_contains("Send this link to the user.");
    assert_eq!(count(&world, "waiting"), 0);
    // So it is with several people.
    let page = admin.get("/invitations/several").assert_status(200);
    let fields = [
        ("people", "cleo@example.org\ndora@example.org"),
        ("send_mail", "1"),
    ];
    admin
        .submit(&page, "/invitations/several", &fields)
        .assert_status(303);
    admin
        .get("/users")
        .assert_contains("2 invitations are sent.");
    assert_eq!(send(&world).sent, 2);
}

#[test]
fn users_are_told_about_changes_of_their_account() {
    let server = MailServer::start();
    let world = world(&server);
    world.set(Setting::HostName, "tracker.example.org");
    let old = mail_of(&world, "bob");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/my/account").assert_status(200);
    let key = [("password", password("bob")), ("do", "reset".to_owned())];
    let key: Vec<(&str, &str)> = key
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    bob.submit(&page, "/my/api_key", &key).assert_status(200);
    // Showing the key changes nothing.
    bob.submit(&page, "/my/api_key", &[key[0], ("do", "show")])
        .assert_status(200);
    let admin = world.as_user("admin");
    let change = serde_json::json!({"user": {"mail": "new@example.org"}});
    admin.put("/users/3.json", change).assert_status(200);
    let change = serde_json::json!({"user": {"password": "another-password"}});
    admin.put("/users/3.json", change).assert_status(200);
    assert_eq!(send(&world).sent, 4);
    let told: Vec<(String, String)> = server
        .take()
        .iter()
        .map(|mail| {
            let to = mail.to[0]
                .trim_start_matches("RCPT TO:<")
                .trim_end_matches('>');
            (mail.header("Subject").unwrap().to_owned(), to.to_owned())
        })
        .collect();
    let line = |subject: &str, to: &str| (format!("[Quarry] {subject}"), to.to_owned());
    // The address is that of the moment of the change.
    let expected = [
        line("Your API key was replaced", &old),
        line("Your mail address was changed", &old),
        line("Your mail address was changed", "new@example.org"),
        line("Your password was changed", "new@example.org"),
    ];
    assert_eq!(told, expected);
}

#[test]
fn links_end_with_the_password_the_address_and_the_status_they_were_sent_for() {
    for change in [
        serde_json::json!({"user": {"password": "another-password"}}),
        serde_json::json!({"user": {"mail": "new@example.org"}}),
        serde_json::json!({"user": {"status": 3}}),
    ] {
        let server = MailServer::start();
        let world = world(&server);
        let browser = Browser::new(&world);
        ask(&browser, &mail_of(&world, "bob")).assert_status(303);
        send(&world);
        let link = link(&server, LOST);
        browser
            .get(&link)
            .assert_contains("Choose another password");
        let admin = world.as_user("admin");
        admin
            .put("/users/3.json", change.to_string())
            .assert_status(200);
        let unlock = serde_json::json!({"user": {"status": 1}});
        admin.put("/users/3.json", unlock).assert_status(200);
        browser
            .get(&link)
            .assert_contains("This link is not valid.");
        choose(&browser, &link, "stolen-password").assert_status(422);
    }
}

#[test]
fn invitation_ends_when_its_address_is_corrected() {
    let server = MailServer::start();
    let world = world(&server);
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/invitations/new").assert_status(200);
    let fields = [
        ("user[mail]", "typo@example.org"),
        ("user[firstname]", "Ann"),
        ("user[lastname]", "Lee"),
        ("send_mail", "1"),
    ];
    admin
        .submit(&page, "/invitations/new", &fields)
        .assert_status(303);
    send(&world);
    let link = link(&server, "/invitation?token=");
    let browser = Browser::new(&world);
    browser.get(&link).assert_contains("Your login is typo.");
    let id: i64 = world
        .database()
        .value("SELECT id FROM users WHERE login = 'typo'");
    let change = serde_json::json!({"user": {"mail": "ann@example.org"}});
    let path = format!("/users/{id}.json");
    world.as_user("admin").put(&path, change).assert_status(200);
    let page = browser.get(&link);
    assert!(!page.body.contains("Your login is"), "{}", page.body);
}

#[test]
fn changes_of_an_address_send_few_mails_to_strangers() {
    let server = MailServer::start();
    let world = world(&server);
    let bob = world.as_user("bob");
    for number in 0..30 {
        let mail = format!("stranger{number}@example.net");
        let body = serde_json::json!({"user": {"mail": mail}});
        bob.put("/my/account.json", body).assert_status(200);
        send(&world);
    }
    assert_eq!(server.take().len(), 10, "five warnings and five links");
    // They do not silence warnings of another type.
    let password = serde_json::json!({"user": {"password": "another-password-1"}});
    world
        .as_user("admin")
        .put("/users/3.json", password)
        .assert_status(200);
    assert_eq!(send(&world).sent, 1);
    world.sql("UPDATE account_warnings SET created_on = created_on - 3600000001");
    let body = serde_json::json!({"user": {"mail": "stranger@example.net"}});
    bob.put("/my/account.json", body).assert_status(200);
    assert_eq!(send(&world).sent, 2);
}
