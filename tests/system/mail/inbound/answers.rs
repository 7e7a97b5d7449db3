//! What an accepted mail becomes.

use super::{address, issue, mail, notes, send, world};
use quarry::actions::content::reply_addresses;
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::reply_token::ReplyTarget;
use quarry::domain::ids::{IssueId, JournalId};
use quarry_world::{World, user};
use serde_json::json;

#[test]
fn answer_becomes_a_note_without_the_quote() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    assert!(
        to.starts_with("reply+") && to.ends_with("@example.net"),
        "{to}"
    );
    assert!(to.split('@').next().unwrap().len() <= 64, "{to}");
    let text = "Grüße, it **works**.\n\n> -- Reply above this line --\n> secret of old";
    let response = send(&world, &mail("bob", &to, "", text)).assert_status(201);
    assert_eq!(response.content_type(), "text/plain; charset=utf-8");
    assert_eq!(response.body, "The mail was accepted.\n");
    assert_eq!(notes(&world, id), ["Grüße, it **works**."]);
    let shown = world.show_issue("admin", id, "journals");
    assert_eq!(shown["journals"][0]["user"]["id"], 3);
    assert_eq!(world.count_hits("bob", "works"), 1, "the note is indexed");
}

#[test]
fn token_counts_in_every_case_and_in_every_header_of_the_answer() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let login = user("bob");
    let target = issue(id);
    let message_id = world
        .app
        .store
        .read(|db| {
            Ok::<_, quarry::store::StoreError>(reply_addresses::message_id(
                db, login, target, "mail7",
            ))
        })
        .unwrap()
        .unwrap();
    assert!(message_id.ends_with(".mail7@example.net"), "{message_id}");
    let headers = [
        String::new(),
        format!("Cc: x@example.org, {to}\n"),
        format!("Delivered-To: {to}\n"),
        format!("X-Original-To: {to}\n"),
        format!("In-Reply-To: <{message_id}>\n"),
        format!("References: <other@example.org>\n <{message_id}>\n"),
    ];
    for (index, header) in headers.iter().enumerate() {
        let to = if index == 0 {
            to.to_uppercase()
        } else {
            "team@example.org".to_owned()
        };
        send(&world, &mail("bob", &to, header, &format!("note {index}"))).assert_status(201);
    }
    assert_eq!(notes(&world, id).len(), headers.len());
}

#[test]
fn sender_may_be_a_further_address_in_any_case() {
    let (world, id) = world();
    world
        .as_user("admin")
        .post(
            "/users/3/email_addresses.json",
            json!({"email_address": {"address": "Bob@Home.example.net"}}),
        )
        .assert_status(201);
    let to = address(&world, "bob", issue(id));
    let from_home =
        mail("bob", &to, "", "from home").replace("bob@example.net", "BOB@home.example.net");
    send(&world, &from_home).assert_status(201);
    assert_eq!(notes(&world, id), ["from home"]);
}

#[test]
fn files_are_attached_within_the_limits() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let part = |name: &str, size: usize| {
        format!(
            "--b\nContent-Type: application/octet-stream; name=\"{name}\"\nContent-Disposition: attachment; filename=\"{name}\"\n\n{}\n",
            "x".repeat(size)
        )
    };
    let with_files = |text: &str, parts: &str| {
        mail(
            "bob",
            &to,
            "",
            &format!("--b\nContent-Type: text/plain\n\n{text}\n{parts}--b--"),
        )
        .replace("text/plain; charset=utf-8", "multipart/mixed; boundary=b")
    };
    send(
        &world,
        &with_files(
            "see the files",
            &(part("../../log.txt", 10) + &part("b.bin", 20)),
        ),
    )
    .assert_status(201);
    let shown = world.show_issue("bob", id, "attachments,journals");
    let names: Vec<&str> = shown["attachments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["filename"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["log.txt", "b.bin"]);
    assert_eq!(
        shown["journals"].as_array().unwrap().len(),
        1,
        "one entry with note and files"
    );
    let file = world
        .as_user("bob")
        .get("/attachments/download/1")
        .assert_status(200);
    assert_eq!(file.body, "x".repeat(10));

    world.set(Setting::AttachmentMaxSize, "1");
    send(&world, &with_files("too large", &part("big.bin", 2000)))
        .assert_status(422)
        .assert_contains("big.bin is too large (maximum is 1 KiB)");
    assert_eq!(notes(&world, id).len(), 1);
}

#[test]
fn answer_to_a_private_note_stays_private_or_is_refused() {
    let (world, id) = world();
    world
        .as_user("alice")
        .put(
            &format!("/issues/{id}.json"),
            json!({"issue": {"notes": "for us", "private_notes": true}}),
        )
        .assert_status(200);
    let answer_to = |note: i64, private: bool| ReplyTarget::Issue {
        issue: IssueId(id),
        note: JournalId(note),
        last: JournalId(note),
        private,
    };
    // The note is private now; the mail was sent when it was not, or the note is gone.
    for (index, target) in [answer_to(1, false), answer_to(999, true)]
        .into_iter()
        .enumerate()
    {
        let to = address(&world, "alice", target);
        send(&world, &mail("alice", &to, "", &format!("quiet {index}"))).assert_status(201);
        let to = address(&world, "carol", target);
        send(&world, &mail("carol", &to, "", &format!("loud {index}")))
            .assert_status(422)
            .assert_contains("You may not write there by mail.");
    }
    assert_eq!(
        notes(&world, id),
        ["private: for us", "private: quiet 0", "private: quiet 1"]
    );
}

#[test]
fn private_answer_names_its_files_and_attaches_none() {
    let (world, id) = world();
    let target = ReplyTarget::Issue {
        issue: IssueId(id),
        note: JournalId(0),
        last: JournalId(0),
        private: true,
    };
    let to = address(&world, "alice", target);
    send(&world, &with_file("alice", &to, "for us")).assert_status(201);
    let notes = notes(&world, id);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with("private: for us\n\n(Not attached, "));
    assert!(notes[0].ends_with(": salary-list.txt)"), "{notes:?}");
    for login in ["alice", "carol"] {
        let path = format!("/issues/{id}.json?include=attachments,journals");
        let shown = world.as_user(login).get(&path).assert_status(200);
        assert_eq!(shown.json_path("/issue/attachments"), json!([]));
        assert_eq!(
            shown.body.contains("salary"),
            login == "alice",
            "{}",
            shown.body
        );
    }
}

#[test]
fn answer_may_be_a_file_alone() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    send(&world, &with_file("bob", &to, "")).assert_status(201);
    let path = format!("/issues/{id}.json?include=attachments");
    let shown = world.as_user("bob").get(&path).assert_status(200);
    let file = shown.json_path("/issue/attachments/0/filename");
    assert_eq!(file, "salary-list.txt");
}

#[test]
fn long_texts_are_cut_to_what_the_setting_allows() {
    let (world, id) = world();
    world.set(Setting::TextMaxLength, "1000");
    let to = address(&world, "bob", issue(id));
    let long = "word ".repeat(1000);
    send(&world, &mail("bob", &to, "", &long)).assert_status(201);
    let notes = notes(&world, id);
    assert!(notes[0].chars().count() == 1000 && notes[0].ends_with('…'));
}

/// Returns a mail with a file.
fn with_file(login: &str, to: &str, text: &str) -> String {
    let header = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n";
    let parts = format!(
        "--b\nContent-Type: text/plain\n\n{text}\n--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=salary-list.txt\n\n100\n--b--"
    );
    mail(login, to, header, &parts).replacen("Content-Type: text/plain; charset=utf-8\r\n", "", 1)
}

#[test]
fn answers_to_forum_messages_and_news_become_replies_and_comments() {
    let world = World::with_records("open");
    super::enable(&world);
    let to = address(&world, "bob", ReplyTarget::Message(2));
    send(&world, &mail("bob", &to, "", "by mail")).assert_status(201);
    let replies = world.as_user("bob").get("/messages/1.json?include=replies");
    assert!(replies.body.contains("by mail"), "{}", replies.body);
    let to = address(&world, "bob", ReplyTarget::News(1));
    send(&world, &mail("bob", &to, "", "good news")).assert_status(201);
    let comments = world
        .as_user("bob")
        .get("/news/1/comments.json")
        .assert_status(200);
    assert!(comments.body.contains("good news"), "{}", comments.body);
    // Who may not, may not by mail.
    world.sql("DELETE FROM role_permissions WHERE name IN ('add_messages', 'comment_news')");
    for target in [
        ReplyTarget::Message(1),
        ReplyTarget::News(1),
        ReplyTarget::Message(99),
    ] {
        let to = address(&world, "carol", target);
        send(&world, &mail("carol", &to, "", "no")).assert_status(422);
    }
}

#[test]
fn answers_are_off_without_an_address() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    world.set(Setting::MailReplyAddress, "");
    let login = user("bob");
    let none = world.app.store.read(|db| {
        let address = reply_addresses::reply_address(db, login, issue(id));
        let message_id = reply_addresses::message_id(db, login, issue(id), "1");
        Ok::<_, quarry::store::StoreError>((address, message_id))
    });
    assert_eq!(none.unwrap(), (None, None));
    // Mails that were sent before can no longer be answered.
    send(&world, &mail("bob", &to, "", "late")).assert_status(422);
}
