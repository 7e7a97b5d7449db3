//! Accounts that wait until an administrator approves them.

use super::notices::text;
use super::registration::{from, register};
use super::{MailServer, count, send, world};
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use serde_json::json;

fn approving(server: &MailServer) -> World {
    let world = world(server);
    world.set(Setting::SelfRegistration, "2");
    world.set(Setting::HostName, "tracker.example.org");
    world
}

fn id_of(world: &World, login: &str) -> i64 {
    let sql = format!("SELECT id FROM users WHERE login = '{login}'");
    world.database().value(&sql)
}

fn activate(world: &World, login: &str) {
    let path = format!("/users/{}.json", id_of(world, login));
    let change = json!({"user": {"status": 1}});
    world.as_user("admin").put(&path, change).assert_status(200);
}

#[test]
fn administrator_and_user_are_told_of_an_account_and_its_activation() {
    let server = MailServer::start();
    let world = approving(&server);
    register(&from(&world, 1), "gina", "gina@example.net").assert_status(303);
    assert_eq!(send(&world).sent, 1);
    let mail = server.take().remove(0);
    assert!(mail.to[0].contains("admin"), "{:?}", mail.to);
    let subject = "[Quarry] A new account waits for approval";
    assert_eq!(mail.header("Subject"), Some(subject));
    let path = format!("/users/{}/edit", id_of(&world, "gina"));
    let link = format!("http://tracker.example.org{path}\n");
    let body = text(&mail);
    for expected in ["Login: gina\n", "Email: gina@example.net\n", link.as_str()] {
        assert!(body.contains(expected), "{body}");
    }
    let admin = world.as_user("admin");
    admin.get(&path).assert_status(200);
    activate(&world, "gina");
    assert_eq!(send(&world).sent, 1);
    let mail = server.take().remove(0);
    assert!(mail.to[0].contains("gina@example.net"), "{:?}", mail.to);
    let subject = "[Quarry] Your account was activated";
    assert_eq!(mail.header("Subject"), Some(subject));
    let body = text(&mail);
    assert!(
        body.contains("http://tracker.example.org/login\n"),
        "{body}"
    );
    // A locked account that is unlocked was activated before.
    for status in [3, 1] {
        let path = format!("/users/{}.json", id_of(&world, "gina"));
        let change = json!({"user": {"status": status}});
        admin.put(&path, change).assert_status(200);
    }
    assert_eq!(count(&world, "waiting"), 0);
}

#[test]
fn names_of_a_waiting_account_begin_no_lines_of_a_mail() {
    let server = MailServer::start();
    let world = approving(&server);
    register(&from(&world, 1), "gina", "gina@example.net").assert_status(303);
    world.sql(
        "UPDATE users SET firstname = 'Gina\r\n\r\nBcc: x\u{1b}]0;' WHERE login = 'gina'; \
         UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
    );
    send(&world);
    let mail = server.take().remove(0);
    assert_eq!(mail.header("Bcc"), None);
    let body = text(&mail);
    assert!(body.contains("\nFirst name: Gina Bcc: x ]0;\n"), "{body}");
    assert!(!mail.data.contains('\u{1b}'));
    activate(&world, "gina");
    assert_eq!(send(&world).sent, 1);
    let mail = server.take().remove(0);
    assert_eq!(mail.header("Bcc"), None);
    assert!(!mail.data.contains('\u{1b}'));
}

#[test]
fn mails_about_waiting_accounts_are_bounded() {
    let server = MailServer::start();
    let world = approving(&server);
    for number in 1..=7 {
        let login = format!("gina{number}");
        let address = format!("{login}@example.net");
        register(&from(&world, number), &login, &address).assert_status(303);
    }
    assert_eq!(count(&world, "waiting"), 5);
    world.sql("UPDATE account_warnings SET created_on = created_on - 3600000001");
    register(&from(&world, 8), "late", "late@example.net").assert_status(303);
    assert_eq!(count(&world, "waiting"), 6);
    // What an administrator has decided meanwhile is not mailed.
    activate(&world, "gina1");
    assert_eq!(send(&world).skipped, 1);
    assert_eq!(server.count(), 6);
}

#[test]
fn without_mail_nobody_is_told_of_accounts() {
    let world = World::new();
    world.set(Setting::SelfRegistration, "2");
    register(&from(&world, 1), "gina", "gina@example.net").assert_status(303);
    activate(&world, "gina");
    assert_eq!(count(&world, "waiting"), 0);
}
