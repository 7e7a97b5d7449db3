//! Mails that are refused: they never become a note, and their senders learn nothing.

use super::{address, issue, mail, notes, send, world};
use crate::audit::collector;
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::reply_token::ReplyToken;
use quarry_world::{World, user};

const UNTRUSTED: &str =
    "This mail is not an answer from the person and the address to which the service has written";
const NOT_THERE: &str = "You may not write there by mail.";

fn refused(world: &World, id: i64, mail: &str, message: &str) {
    let before = notes(world, id).len();
    let response = send(world, mail).assert_status(422);
    assert!(response.body.starts_with(message), "{}", response.body);
    assert_eq!(notes(world, id).len(), before, "{mail}");
}

#[test]
fn forged_sender_and_foreign_token_are_refused() {
    let (world, id) = world();
    let of_bob = address(&world, "bob", issue(id));
    let own = mail("bob", &of_bob, "", "x");
    refused(
        &world,
        id,
        &mail("alice", &of_bob, "", "as alice"),
        UNTRUSTED,
    );
    refused(
        &world,
        id,
        &mail("mallory", &of_bob, "", "stolen"),
        UNTRUSTED,
    );
    refused(
        &world,
        id,
        &mail("bob", "reply@example.net", "", "none"),
        UNTRUSTED,
    );
    refused(
        &world,
        id,
        &own.replace("bob@example.net>", "bob@example.net>, <alice@example.net>"),
        UNTRUSTED,
    );
    refused(&world, id, &own.replace("From:", "Sender:"), UNTRUSTED);
    refused(
        &world,
        id,
        &format!("From: mallory@example.org\r\n{own}"),
        UNTRUSTED,
    );
    refused(
        &world,
        id,
        &own.replace(
            "<bob@example.net>",
            "\"bob@example.net\" <mallory@example.org>",
        ),
        UNTRUSTED,
    );
    send(&world, &own).assert_status(201);
}

#[test]
fn token_with_a_changed_character_is_refused() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let token = to.trim_start_matches("reply+").split('@').next().unwrap();
    for index in 0..token.len() {
        let mut changed = token.as_bytes().to_vec();
        changed[index] = if changed[index] == b'a' { b'b' } else { b'a' };
        let changed = to.replace(token, std::str::from_utf8(&changed).unwrap());
        refused(&world, id, &mail("bob", &changed, "", "x"), UNTRUSTED);
    }
}

#[test]
fn token_expires_after_a_year() {
    let (world, id) = world();
    for (day, status) in [
        ("2025-11-20", 201),
        ("2025-11-19", 422),
        ("2026-11-23", 422),
    ] {
        let now = format!("{day}T12:00:00Z").parse().unwrap();
        let token = ReplyToken::new(user("bob"), issue(id), now);
        let secrets = world.app.store.secrets();
        let token = token.encode(|bytes| secrets.sign_reply(bytes));
        let to = format!("reply+{token}@example.net");
        let _ = send(&world, &mail("bob", &to, "", day)).assert_status(status);
    }
    assert_eq!(notes(&world, id), ["2025-11-20"]);
}

#[test]
fn rights_are_those_of_the_moment() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    world.sql(&format!("UPDATE issues SET is_private = 1 WHERE id = {id}"));
    refused(&world, id, &mail("bob", &to, "", "hidden"), NOT_THERE);
    world.sql(&format!("UPDATE issues SET is_private = 0 WHERE id = {id}"));
    world.sql("DELETE FROM role_permissions WHERE name = 'add_issue_notes' AND role_id = 4");
    refused(&world, id, &mail("bob", &to, "", "no right"), NOT_THERE);
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (4, 'add_issue_notes')");
    world.sql("UPDATE projects SET status = 5");
    refused(&world, id, &mail("bob", &to, "", "closed"), NOT_THERE);
    world.sql("UPDATE projects SET status = 1");
    world.sql("UPDATE users SET status = 3 WHERE id = 3");
    refused(&world, id, &mail("bob", &to, "", "locked"), UNTRUSTED);
    world.sql("UPDATE users SET status = 1 WHERE id = 3");
    send(&world, &mail("bob", &to, "", "now")).assert_status(201);
}

#[test]
fn missing_and_hidden_issues_are_refused_alike() {
    let (world, id) = world();
    let hidden = world.issue("secret").create();
    let mut answers = Vec::new();
    for target in [hidden, 99_999] {
        let to = address(&world, "bob", issue(target));
        answers.push(
            send(&world, &mail("bob", &to, "", "x"))
                .assert_status(422)
                .body,
        );
    }
    assert_eq!(answers[0], answers[1]);
    assert!(notes(&world, id).is_empty() && notes(&world, hidden).is_empty());
}

#[test]
fn automatic_mails_and_own_mails_are_refused() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    for (header, name) in [
        ("Auto-Submitted: auto-replied\n", "Auto-Submitted"),
        ("Precedence: bulk\n", "Precedence"),
        (
            "X-Auto-Response-Suppress: All\n",
            "X-Auto-Response-Suppress",
        ),
        ("Return-Path: <>\n", "Return-Path"),
        ("X-Loop: reply@example.net\n", "X-Loop"),
        ("X-Mail-Autoreply: yes\n", "X-Autoreply"),
    ] {
        let message = format!("Automatic mails are not accepted (header {name}).");
        refused(&world, id, &mail("bob", &to, header, "away"), &message);
    }
    let token = to.trim_start_matches("reply+").split('@').next().unwrap();
    collector::start();
    let own = mail("bob", &to, "", "x").replace("Message-ID: <", &format!("Message-ID: <{token}."));
    refused(
        &world,
        id,
        &own,
        "Automatic mails are not accepted (header Message-ID).",
    );
    // The log has the id without the token, with which others could answer.
    let (_, id) = own.split_once(&format!("<{token}.")).unwrap();
    let (id, _) = id.split_once('>').unwrap();
    assert_eq!(collector::events("mail.id", &format!("<….{id}>")).len(), 1);
}

#[test]
fn mail_is_accepted_once() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let once = mail("bob", &to, "", "once");
    send(&world, &once).assert_status(201);
    let again = send(&world, &once).assert_status(201);
    assert_eq!(again.body, "The mail was accepted before.\n");
    // Another text is another mail, whatever its id: some programs give all mails the same one.
    for id in ["<1@example.org>", "<>"] {
        for text in ["twice", "three"] {
            let other = once.replace("\r\nonce", &format!("\r\n{text} {id}"));
            let start = other.find("Message-ID: ").unwrap();
            let end = start + other[start..].find('\r').unwrap();
            let other = format!("{}Message-ID: {id}{}", &other[..start], &other[end..]);
            for answer in [
                "The mail was accepted.\n",
                "The mail was accepted before.\n",
            ] {
                assert_eq!(send(&world, &other).assert_status(201).body, answer);
            }
        }
    }
    world.sql("DELETE FROM journals WHERE notes LIKE 't%'");
    let without_id = once.replace("Message-ID:", "X-Was-Message-ID:");
    send(&world, &without_id).assert_status(201);
    send(&world, &without_id).assert_status(201);
    assert_eq!(notes(&world, id), ["once", "once"]);
    // A deleted note does not come back.
    world
        .as_user("admin")
        .put(
            "/journals/1.json",
            serde_json::json!({"journal": {"notes": ""}}),
        )
        .assert_status(204);
    send(&world, &once).assert_status(201);
    assert_eq!(notes(&world, id), ["once"]);
}

#[test]
fn mails_without_text_and_too_many_are_refused() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let no_text = "The mail has no text above the quoted part.";
    for text in [
        "",
        "  \n\n",
        "> only a quote",
        "\u{200b}",
        "-- Reply above this line --\nbelow",
    ] {
        refused(&world, id, &mail("bob", &to, "", text), no_text);
    }
    world.set(Setting::MailMaxPerHour, "2");
    for text in ["1", "22"] {
        send(&world, &mail("bob", &to, "", text)).assert_status(201);
    }
    refused(
        &world,
        id,
        &mail("bob", &to, "", "333"),
        "You have sent too many mails in the last hour.",
    );
    let to_carol = address(&world, "carol", issue(id));
    send(&world, &mail("carol", &to_carol, "", "others may")).assert_status(201);
    world.sql("UPDATE received_mails SET received_on = received_on - 3601000000");
    send(&world, &mail("bob", &to, "", "333")).assert_status(201);
}
