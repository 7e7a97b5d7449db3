//! Mails about what people are told of.

use super::{MailServer, send, unsubscribe, unsubscribe_path, world};
use crate::mail::server::Received;
use quarry::domain::administration::setting::Setting;
use quarry_world::{World, user};
use serde_json::json;

/// Makes the mails about all notices due, and sends them. Returns them by address.
pub fn deliver(world: &World, server: &MailServer) -> Vec<Received> {
    world.sql("UPDATE notices SET mail_on = created_on WHERE mail_on IS NOT NULL");
    send(world);
    let mut mails = server.take();
    mails.sort_by(|a, b| a.to.cmp(&b.to));
    mails
}

/// Returns the text part of a mail, decoded as far as the tests need it.
pub fn text(mail: &Received) -> String {
    let (_, body) = mail.data.split_once("\r\n\r\n").unwrap();
    let part = body.split("Content-Type: text/html").next().unwrap();
    part.replace("=\r\n", "")
        .replace("=3D", "=")
        .replace("\r\n", "\n")
}

fn note(world: &World, login: &str, issue: i64, fields: serde_json::Value) {
    let path = format!("/issues/{issue}.json");
    world
        .as_user(login)
        .put(&path, json!({"issue": fields}))
        .assert_status(200);
}

#[test]
fn changes_of_one_issue_are_one_mail_with_their_history() {
    let server = MailServer::start();
    let world = world(&server);
    world.set(Setting::HostName, "tracker.example.org");
    let id = world
        .issue("open")
        .author("carol")
        .subject("Crash")
        .create();
    note(
        &world,
        "alice",
        id,
        json!({"notes": "First\nline two", "status_id": 2}),
    );
    note(&world, "bob", id, json!({"notes": "Second"}));
    // Not before two minutes have passed.
    assert_eq!(send(&world).sent, 0);
    let mails = deliver(&world, &server);
    assert_eq!(mails.len(), 2, "carol wrote it, and alice watches it");
    let mail = mails
        .iter()
        .find(|mail| mail.to[0].contains("carol"))
        .unwrap();
    let subject = mail.header("Subject").unwrap();
    assert_eq!(subject, "[open - Bug #1] (In Progress) Crash");
    let text = text(mail);
    for expected in [
        "alice Tester commented on Bug #1 Crash, 2026-11-20 12:00 UTC",
        "* set Status from New to In Progress",
        "First\nline two",
        "bob Tester commented on Bug #1 Crash",
        "Second",
        "http://tracker.example.org/issues/1#note-1",
        "Why you get this mail: you wrote it.",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    for (name, value) in [
        ("X-Redmine-Issue-Id", "1"),
        ("X-Redmine-Issue-Tracker", "Bug"),
        ("X-Redmine-Issue-Priority", "Normal"),
        ("X-Redmine-Issue-Author", "carol"),
        ("X-Redmine-Project", "open"),
        ("X-Redmine-Sender", "bob"),
        ("List-Id", "open <open.tracker.example.org>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ("References", "<issues-1.thread@tracker.example.org>"),
        ("X-Quarry-Reason", "author"),
    ] {
        assert_eq!(mail.header(name), Some(value), "{name}");
    }
    assert_eq!(deliver(&world, &server).len(), 0);
}

#[test]
fn mention_and_assignment_are_mailed_at_once_and_only_once() {
    let server = MailServer::start();
    let world = world(&server);
    let id = world.issue("open").author("alice").create();
    world.sql(&format!(
        "INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', {id}, 3)"
    ));
    note(
        &world,
        "alice",
        id,
        json!({"notes": "@bob", "assigned_to_id": user("bob").0}),
    );
    assert_eq!(send(&world).sent, 1);
    let mails = server.take();
    assert!(mails[0].to[0].contains("bob"));
    assert_eq!(
        mails[0].header("X-Quarry-Reason"),
        Some("mentioned assigned watched")
    );
    assert_eq!(deliver(&world, &server).len(), 0);
}

#[test]
fn mail_tells_only_what_its_recipient_may_see_when_it_is_sent() {
    let server = MailServer::start();
    let world = world(&server);
    let id = world.issue("open").author("carol").create();
    note(
        &world,
        "alice",
        id,
        json!({"notes": "Between us", "private_notes": true}),
    );
    assert_eq!(deliver(&world, &server).len(), 0);
    note(&world, "alice", id, json!({"notes": "For all"}));
    // The issue becomes private after the event, and carol cannot see it any more.
    world.sql(
        "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = 4); \
         DELETE FROM members WHERE user_id = 4; UPDATE projects SET is_public = 0; \
         UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
    );
    assert_eq!(deliver(&world, &server).len(), 0);
}

#[test]
fn preferences_decide_who_gets_mail() {
    let server = MailServer::start();
    let world = world(&server);
    world.sql("UPDATE users SET mail_notification = 'none' WHERE id = 4; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let id = world.issue("open").author("carol").create();
    note(&world, "alice", id, json!({"notes": "Hello"}));
    assert_eq!(deliver(&world, &server).len(), 0);
    world.sql("UPDATE users SET mail_notification = 'all' WHERE id = 4; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    note(&world, "alice", id, json!({"notes": "Hello"}));
    assert_eq!(deliver(&world, &server).len(), 1);
}

#[test]
fn link_in_a_mail_mutes_its_thread_with_one_post() {
    let server = MailServer::start();
    let world = world(&server);
    let id = world.issue("open").author("carol").create();
    note(&world, "alice", id, json!({"notes": "Hello"}));
    let mails = deliver(&world, &server);
    let path = unsubscribe_path(&mails[0]);
    let path = path.as_str();
    let anonymous = world.anonymous();
    // Programs follow links: a GET changes nothing.
    anonymous
        .get(path)
        .assert_status(200)
        .assert_contains("No more mails about this?");
    let mut other = path.to_owned();
    other.replace_range(13..14, "2");
    for wrong in [
        other.as_str(),
        &path[..path.len() - 1],
        "/unsubscribe/4-0-1",
        "/unsubscribe/x",
    ] {
        anonymous.get(wrong).assert_status(404);
        unsubscribe(&world, wrong).assert_status(404);
    }
    unsubscribe(&world, path)
        .assert_status(200)
        .assert_contains("You get no more mails about this.");
    note(&world, "alice", id, json!({"notes": "Again"}));
    assert_eq!(deliver(&world, &server).len(), 0);
}

#[test]
fn answer_to_a_mail_about_an_issue_becomes_a_note() {
    let server = MailServer::start();
    let world = world(&server);
    world.set(Setting::MailReplyAddress, "reply@example.org");
    let id = world.issue("open").author("carol").create();
    note(&world, "alice", id, json!({"notes": "Which version?"}));
    let mails = deliver(&world, &server);
    let address = mails[0].header("Reply-To").unwrap();
    assert!(address.contains("<reply+"), "{address}");
    assert!(text(&mails[0]).contains("-- Reply above this line --"));
    // A program that ignores the address of the answer names the id of the mail.
    let id_of_mail = mails[0].header("Message-ID").unwrap();
    world.set(Setting::MailHandlerApiEnabled, "1");
    world.set(Setting::MailHandlerApiKey, "key");
    let post = |mail: &str| {
        let form = format!("key=key&email={}", quarry_world::percent_encode(mail));
        world.anonymous().send(
            axum::http::Method::POST,
            "/mail_handler",
            Some("application/x-www-form-urlencoded"),
            form.into_bytes(),
        )
    };
    let answer = format!(
        "From: carol@example.org\r\nTo: team@example.org\r\nMessage-ID: <1@example.org>\r\nIn-Reply-To: {id_of_mail}\r\n\r\nVersion 3"
    );
    post(&answer).assert_status(201);
    let notes = world.show_issue("admin", id, "journals");
    assert_eq!(notes["journals"][1]["notes"], "Version 3");
    assert_eq!(notes["journals"][1]["user"]["id"], user("carol").0);
    // The mail itself is recognized when it comes back.
    let own = answer.replace("<1@example.org>", id_of_mail);
    post(&own)
        .assert_status(422)
        .assert_contains("header Message-ID");
}

#[test]
fn mail_that_waits_is_not_sent_after_its_thread_was_muted() {
    let server = MailServer::start();
    let world = world(&server);
    let id = world.issue("open").author("carol").create();
    note(&world, "alice", id, json!({"notes": "Hello"}));
    let mute = json!({"thread": {"state": "muted"}});
    world
        .as_user("carol")
        .put(&format!("/my/inbox/issue/{id}.json"), mute)
        .assert_status(204);
    assert_eq!(deliver(&world, &server).len(), 0);
    // A mail that is in the outbox already.
    let id = world.issue("open").author("carol").create();
    note(&world, "alice", id, json!({"notes": "Hello"}));
    server.answer(|answers| answers.message = "451 later");
    assert_eq!(deliver(&world, &server).len(), 0);
    let mute = json!({"thread": {"state": "muted"}});
    world
        .as_user("carol")
        .put(&format!("/my/inbox/issue/{id}.json"), mute)
        .assert_status(204);
    server.answer(|answers| answers.message = "250 ok");
    super::make_due(&world);
    assert_eq!(send(&world).skipped, 1);
    assert_eq!(server.count(), 0);
}

#[test]
fn mail_to_a_further_address_needs_the_address_when_it_is_sent() {
    let server = MailServer::start();
    let world = world(&server);
    let admin = world.as_user("admin");
    let path = "/users/4/email_addresses.json";
    let address = json!({"email_address": {"address": "second@example.org", "notify": true}});
    let added = admin
        .post(path, address)
        .assert_status(201)
        .integer("/email_address/id");
    let id = world.issue("open").author("carol").create();
    note(&world, "alice", id, json!({"notes": "Hello"}));
    assert_eq!(deliver(&world, &server).len(), 2);
    note(&world, "alice", id, json!({"notes": "Again"}));
    server.answer(|answers| answers.message = "451 later");
    deliver(&world, &server);
    admin
        .delete(&format!("/users/4/email_addresses/{added}.json"))
        .assert_status(204);
    server.answer(|answers| answers.message = "250 ok");
    super::make_due(&world);
    let report = send(&world);
    assert_eq!((report.sent, report.skipped), (1, 1));
    assert!(server.take()[0].to[0].contains("carol"));
}

#[test]
fn name_of_a_priority_begins_no_header() {
    let server = MailServer::start();
    let world = world(&server);
    world.sql(
        "UPDATE enumerations SET name = 'High\r\nBcc: x@example.net' WHERE name = 'Normal'; \
         UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
    );
    let id = world.issue("open").author("carol").create();
    note(&world, "alice", id, json!({"notes": "Hello"}));
    let mails = deliver(&world, &server);
    let priority = mails[0].header("X-Redmine-Issue-Priority").unwrap();
    assert!(priority.starts_with("High"), "{priority}");
    assert_eq!(mails[0].header("Bcc"), None);
}
