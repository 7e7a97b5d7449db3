//! The outbox, and the job that sends it.

use super::{MailServer, count, insert, make_due, send, world, world_with};
use quarry::actions::notices::outbox;
use quarry::config::{Encryption, MailConfig, SmtpServer};
use quarry::domain::administration::mail::{MailKind, NewMail};
use quarry::domain::administration::setting::Setting;
use quarry::domain::values::mail_address::MailAddress;
use quarry::jobs::outbox::Report;
use quarry::mail::outgoing::{SendError, Transport};
use quarry::mailer::outgoing::test_message;
use quarry_world::{World, user};
use std::net::TcpListener;
use std::time::Duration;

#[test]
fn mail_is_sent_once_with_text_and_html() {
    let server = MailServer::start();
    let world = world(&server);
    world.set(Setting::HostName, "tracker.example.org:8080");
    assert_eq!(insert(&world, &["bob"]), 1);
    assert_eq!(send(&world).sent, 1);
    assert_eq!(send(&world), Report::default());
    let mails = server.take();
    assert_eq!(mails.len(), 1);
    let mail = &mails[0];
    assert!(mail.to[0].contains("<bob@"), "{:?}", mail.to);
    assert!(mail.from.contains("<quarry@example.org>"), "{}", mail.from);
    assert_eq!(mail.header("Auto-Submitted"), Some("auto-generated"));
    assert_eq!(mail.header("X-Auto-Response-Suppress"), Some("All"));
    assert_eq!(mail.header("X-Mailer"), Some("Quarry"));
    let id = mail.header("Message-ID").unwrap();
    assert!(
        id.starts_with("<test.") && id.ends_with("@tracker.example.org>"),
        "{id}"
    );
    assert!(
        mail.data
            .contains("Content-Type: text/plain; charset=utf-8")
    );
    assert!(mail.data.contains("Content-Type: text/html; charset=utf-8"));
    assert_eq!(count(&world, "waiting"), 0);
}

#[test]
fn titles_and_names_add_no_header() {
    let server = MailServer::start();
    let world = world(&server);
    world.sql(
        "UPDATE users SET firstname = 'Bob\r\nBcc: x@example.org', lastname = '\u{e9}\nX-Evil: 1' WHERE id = 3; \
         UPDATE settings SET value = 'T\r\nBcc: x@example.org' WHERE name = 'app_title'",
    );
    insert(&world, &["bob"]);
    assert_eq!(send(&world).sent, 1);
    let mail = &server.take()[0];
    let (head, _) = mail.data.split_once("\r\n\r\n").unwrap();
    assert!(
        !head
            .lines()
            .any(|line| line.starts_with("Bcc") || line.starts_with("X-Evil")),
        "{head}"
    );
    assert_eq!(mail.to.len(), 1);
}

#[test]
fn mail_with_nothing_to_say_is_deleted() {
    let server = MailServer::start();
    let world = world(&server);
    world.sql("UPDATE users SET mail = '' WHERE id = 4");
    // Erin is locked, Carol has no address.
    insert(&world, &["erin", "carol", "bob"]);
    let report = send(&world);
    assert_eq!((report.sent, report.skipped), (1, 2));
    assert_eq!(count(&world, "waiting"), 0);
    // Mails of a deleted user are deleted with the user.
    insert(&world, &["dave"]);
    world
        .as_user("admin")
        .delete("/users/5.json")
        .assert_status(200);
    assert_eq!(count(&world, "waiting"), 0);
}

#[test]
fn temporary_refusal_is_tried_again_with_the_same_message_id() {
    let server = MailServer::start();
    let world = world(&server);
    server.answer(|answers| answers.recipients = vec![("bob", "451 4.7.1 greylisted")]);
    insert(&world, &["bob", "carol"]);
    let report = send(&world);
    assert_eq!((report.sent, report.postponed), (1, 1));
    let first: String = world.database().value("SELECT message_id FROM mails");
    let attempts: i64 = world.database().value("SELECT attempts FROM mails");
    let error: String = world.database().value("SELECT error FROM mails");
    assert_eq!((attempts, error.as_str()), (1, "451 4.7.1 greylisted"));
    // It is not due before a minute has passed.
    assert_eq!(send(&world), Report::default());
    let wait: i64 = world
        .database()
        .value("SELECT (send_on - created_on) / 1000000 FROM mails");
    assert_eq!(wait, 60);
    server.answer(|answers| answers.recipients.clear());
    make_due(&world);
    assert_eq!(send(&world).sent, 1);
    let ids: Vec<String> = server
        .take()
        .iter()
        .map(|mail| mail.header("Message-ID").unwrap().to_owned())
        .collect();
    assert_eq!(ids[1], format!("<{first}>"));
}

#[test]
fn last_attempt_makes_a_dead_letter() {
    let server = MailServer::start();
    let world = world(&server);
    server.answer(|answers| answers.message = "452 4.3.1 full");
    insert(&world, &["bob"]);
    for attempt in 1..=11 {
        make_due(&world);
        assert_eq!(send(&world).postponed, 1, "{attempt}");
    }
    make_due(&world);
    assert_eq!(send(&world).failed, 1);
    assert_eq!((count(&world, "waiting"), count(&world, "failed")), (0, 1));
    make_due(&world);
    assert_eq!(send(&world), Report::default());
}

#[test]
fn permanent_refusal_concerns_one_recipient() {
    let server = MailServer::start();
    let world = world(&server);
    server.answer(|answers| answers.recipients = vec![("bob", "550 5.1.1 unknown user")]);
    insert(&world, &["alice", "bob", "carol"]);
    let report = send(&world);
    assert_eq!((report.sent, report.failed), (2, 1));
    assert_eq!(server.connections(), 1);
    let error: String = world
        .database()
        .value("SELECT error FROM mails WHERE state = 'failed'");
    assert_eq!(error, "550 5.1.1 unknown user");
}

#[test]
fn batch_uses_one_connection() {
    let server = MailServer::start();
    let world = world(&server);
    insert(&world, &["bob"; 45]);
    assert_eq!(send(&world).sent, 45);
    assert_eq!((server.count(), server.connections()), (45, 1));
    let mut ids: Vec<String> = server
        .take()
        .iter()
        .map(|mail| mail.header("Message-ID").unwrap().to_owned())
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 45);
}

#[test]
fn unreachable_server_counts_no_attempts_and_loses_nothing() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let world = world_with(&format!("smtp://{address}"));
    insert(&world, &["alice", "bob"]);
    for _ in 0..3 {
        let report = send(&world);
        let reason = report.unavailable.unwrap();
        assert!(reason.contains("cannot connect"), "{reason}");
    }
    assert_eq!(count(&world, "waiting"), 2);
    assert_eq!(
        world
            .database()
            .value::<i64>("SELECT MAX(attempts) FROM mails"),
        0
    );
    let server = MailServer::start();
    let world = world.with_mail(&server.url());
    assert_eq!(send(&world).sent, 2);
    assert_eq!(server.count(), 2);
}

#[test]
fn server_that_refuses_everything_counts_no_attempts() {
    for (greeting, sender) in [
        ("421 too busy", "250 ok"),
        ("554 go away", "250 ok"),
        ("220 ready", "553 5.7.1 sender not allowed"),
    ] {
        let server = MailServer::start();
        let world = world(&server);
        server.answer(|answers| (answers.greeting, answers.sender) = (greeting, sender));
        insert(&world, &["alice", "bob"]);
        let reason = send(&world).unavailable.unwrap();
        let words = if sender.starts_with('2') {
            greeting
        } else {
            sender
        };
        assert!(reason.contains(words), "{reason}");
        assert_eq!(count(&world, "waiting"), 2);
        assert_eq!(
            world
                .database()
                .value::<i64>("SELECT MAX(attempts) FROM mails"),
            0
        );
        let shown: String = world.database().value("SELECT error FROM mail_status");
        assert!(shown.contains(words), "{shown}");
    }
}

#[test]
fn lost_connection_delays_one_mail() {
    let server = MailServer::start();
    let world = world(&server);
    server.answer(|answers| answers.message = "");
    insert(&world, &["alice", "bob"]);
    let report = send(&world);
    assert_eq!((report.sent, report.postponed), (0, 2));
    server.answer(|answers| answers.message = "250 ok");
    make_due(&world);
    assert_eq!(send(&world).sent, 2);
    assert_eq!(server.connections(), 3);
}

#[test]
fn connection_that_is_closed_anywhere_loses_nothing() {
    let server = MailServer::start();
    let world = world(&server);
    for command in ["EHLO", "MAIL", "RCPT", "DATA"] {
        insert(&world, &["bob"]);
        server.answer(|answers| answers.drop_at = command);
        let report = send(&world);
        // Before a mail was begun, none counts an attempt.
        let is_unavailable = command == "EHLO";
        assert_eq!(report.unavailable.is_some(), is_unavailable, "{command}");
        assert_eq!(report.postponed, usize::from(!is_unavailable), "{command}");
        assert_eq!(count(&world, "waiting"), 1, "{command}");
        server.answer(|answers| answers.drop_at = "");
        make_due(&world);
        assert_eq!(send(&world).sent, 1, "{command}");
        assert_eq!(server.take().len(), 1, "{command}");
    }
}

#[test]
fn content_that_is_refused_for_good_is_a_dead_letter() {
    let server = MailServer::start();
    let world = world(&server);
    server.answer(|answers| answers.message = "554 5.7.1 looks like spam");
    insert(&world, &["alice", "bob"]);
    let report = send(&world);
    assert_eq!((report.sent, report.failed), (0, 2));
    assert_eq!(server.connections(), 1, "the connection is used again");
    let error: String = world
        .database()
        .value("SELECT DISTINCT error FROM mails WHERE state = 'failed'");
    assert_eq!(error, "554 5.7.1 looks like spam");
}

#[test]
fn slow_server_is_given_up() {
    let server = MailServer::start();
    server.answer(|answers| answers.delay = Duration::from_secs(20));
    let world = world(&server);
    let config = world.app.config.mail.as_ref().unwrap();
    let to = MailAddress::parse("bob@example.org").unwrap();
    let clock = world.app.clock.as_ref();
    let entropy = world.app.entropy.as_ref();
    let message = test_message(&config.from, to, "Quarry", clock, entropy).unwrap();
    let mut transport = Transport::new(config).with_timeout(Duration::from_secs(3));
    let error = transport.send(&message).unwrap_err();
    let expected = "the server did not answer in time".to_owned();
    assert_eq!(error, SendError::Temporary(expected));
    assert!(!transport.is_connected());
}

#[test]
fn slow_answer_to_a_complete_mail_is_awaited() {
    let server = MailServer::start();
    server.answer(|answers| answers.delay = Duration::from_secs(4));
    let world = world(&server);
    let config = world.app.config.mail.as_ref().unwrap();
    let to = MailAddress::parse("bob@example.org").unwrap();
    let clock = world.app.clock.as_ref();
    let entropy = world.app.entropy.as_ref();
    let message = test_message(&config.from, to, "Quarry", clock, entropy).unwrap();
    let mut transport = Transport::new(config).with_timeout(Duration::from_secs(1));
    let sent = transport.send_while(&message, &|| true);
    assert!(sent.is_ok(), "{sent:?}");
    assert_eq!(server.count(), 1);
    // The connection is still in step with the server.
    server.answer(|answers| answers.delay = Duration::ZERO);
    assert!(transport.send(&message).is_ok());
    assert_eq!(server.connections(), 1);
}

#[test]
fn password_is_not_sent_without_encryption() {
    let server = MailServer::start();
    let world = world(&server);
    let url = server.url();
    let port = url.rsplit_once(':').unwrap().1.parse().unwrap();
    let config = MailConfig {
        server: quarry::config::MailServer::Smtp(SmtpServer {
            host: "127.0.0.1".to_owned(),
            port,
            encryption: Encryption::Required,
            user: Some("me".to_owned()),
            password: Some("secret".to_owned()),
            password_file: None,
        }),
        from: MailAddress::parse("quarry@example.org").unwrap(),
    };
    server.answer(|answers| answers.extensions = &["AUTH PLAIN LOGIN"]);
    let to = MailAddress::parse("bob@example.org").unwrap();
    let clock = world.app.clock.as_ref();
    let entropy = world.app.entropy.as_ref();
    let message = test_message(&config.from, to, "Quarry", clock, entropy).unwrap();
    let error = Transport::new(&config).send(&message).unwrap_err();
    assert!(
        matches!(&error, SendError::Unavailable(text) if text.contains("STARTTLS") && !text.contains("secret")),
        "{error:?}"
    );
    assert!(
        !server
            .commands()
            .iter()
            .any(|command| command.starts_with("AUTH"))
    );
    // On this machine, it is sent.
    let world = world.with_mail(&server.url_with_login("127.0.0.1"));
    insert(&world, &["bob"]);
    assert_eq!(send(&world).sent, 1);
    assert!(
        server
            .commands()
            .iter()
            .any(|command| command.starts_with("AUTH PLAIN"))
    );
}

#[test]
fn claimed_mail_belongs_to_one_node_until_its_lease_ends() {
    let server = MailServer::start();
    let world = world(&server);
    insert(&world, &["bob"]);
    world.sql("UPDATE mails SET state = 'sending', send_on = send_on + 60000000");
    assert_eq!(send(&world), Report::default());
    make_due(&world);
    assert_eq!(send(&world).sent, 1);
}

#[test]
fn mails_are_inserted_while_mail_is_on_and_once_for_a_topic() {
    let world = World::with_projects();
    assert_eq!(insert(&world, &["bob"]), 0);
    let server = MailServer::start();
    let world = world_with(&server.url());
    let new = || {
        NewMail::to_user(MailKind::Test, user("bob"))
            .with_topic("Issue 1")
            .with_data("issue", "1 \"\u{e9}\"")
    };
    let insert = |mail: NewMail| world.write(move |db| outbox::insert(db, &[mail]));
    assert_eq!(insert(new()), 1);
    assert_eq!(insert(new()), 0);
    assert_eq!(insert(new().with_topic("Issue 2")), 1);
    let due = "2026-11-20T12:02:00Z".parse().unwrap();
    assert_eq!(insert(new().with_topic("Issue 3").due_on(due)), 1);
    assert_eq!(send(&world).sent, 2);
    assert_eq!(insert(new()), 1);
    assert_eq!(count(&world, "waiting"), 2);
    let world = world.restarted();
    assert_eq!(count(&world, "waiting"), 2);
}

#[test]
fn full_outbox_drops_and_counts() {
    let server = MailServer::start();
    let world = world(&server);
    world.sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99999) \
         INSERT INTO mails (kind, address, message_id, state, created_on, send_on) \
         SELECT 'test', 'a@example.org', 'x', 'waiting', 0, 9000000000000000 FROM n",
    );
    assert_eq!(insert(&world, &["alice", "bob", "carol"]), 1);
    let dropped: i64 = world.database().value("SELECT dropped FROM mail_status");
    assert_eq!(dropped, 2);
    let admin = quarry_world::browser::Browser::logged_in(&world, "admin");
    admin
        .get("/admin/mail")
        .assert_status(200)
        .assert_contains("The outbox was full: 2 mails could not be kept.");
}

#[test]
fn server_without_addresses_beyond_ascii_stops_no_other_mails() {
    let server = MailServer::start();
    let world = world(&server);
    world.sql("UPDATE users SET mail = 'frank\u{fc}@example.org' WHERE id = 2");
    server.answer(|answers| {
        answers.extensions = &["SMTPUTF8"];
        answers.utf8_sender = "555 5.6.7 not supported";
    });
    insert(&world, &["alice", "bob"]);
    let report = send(&world);
    assert_eq!((report.sent, report.failed), (1, 1));
    assert_eq!(report.unavailable, None);
}
