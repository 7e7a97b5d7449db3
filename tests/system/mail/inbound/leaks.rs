//! What only the sender of a mail may have is published nowhere, and refused mails leave nothing.

use super::{address, enable, issue, mail, notes, send, world};
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::reply_token::ReplyTarget;
use quarry::domain::ids::{IssueId, JournalId, ProjectId};
use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::json;

/// Returns the link with which the mails about issue 1 to bob end.
fn unsubscribe_link(world: &World) -> String {
    let signature = world.app.store.secrets().sign_unsubscribe("3-0-1");
    format!("3-0-1-{signature}")
}

/// Returns a mail with these parts.
fn multipart(to: &str, parts: &[&str]) -> String {
    let body: String = parts.iter().map(|part| format!("--b\n{part}\n")).collect();
    mail("bob", to, "", &format!("{body}--b--"))
        .replace("text/plain; charset=utf-8", "multipart/mixed; boundary=b")
}

#[test]
fn quoted_part_of_the_original_is_shown_to_its_sender_only() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let quoted = [
        "> -- Reply above this line --\n>\n> * set Salary to SALARY-99999",
        "From: Quarry\nSent: today\nTo: Bob\n\n-- Reply above this line --\nSALARY-99999",
        "On 20 Nov 2026, Quarry wrote:\n> SALARY-99999",
        "De : Quarry <q@example.net>\nEnvoyé : hier\nÀ : SALARY-99999\n\n-- Reply above this line --\nx",
        "差出人： Quarry <q@example.net>\n送信日時： 2026\n宛先： SALARY-99999\n\n-- Reply above this line --\nx",
    ];
    for (index, quote) in quoted.iter().enumerate() {
        let text = format!("I agree {index}.\n\n{quote}\n");
        send(&world, &mail("bob", &to, "", &text)).assert_status(201);
        let path = format!("/journals/{}/mail", index + 1);
        for login in ["alice", "carol"] {
            let page = Browser::logged_in(&world, login)
                .get(&path)
                .assert_status(200);
            page.assert_contains(&format!("I agree {index}."))
                .assert_contains("Only bob Tester sees the quoted part below.");
            let page = Browser::logged_in(&world, login).get(&path);
            assert!(!page.body.contains("SALARY"), "{}", page.body);
        }
        for login in ["bob", "admin"] {
            let page = Browser::logged_in(&world, login)
                .get(&path)
                .assert_status(200);
            page.assert_contains("SALARY-99999");
        }
    }
    assert_eq!(
        notes(&world, id),
        [
            "I agree 0.",
            "I agree 1.",
            "I agree 2.",
            "I agree 3.",
            "I agree 4."
        ]
    );
    assert_eq!(world.count_hits("bob", "SALARY"), 0);
}

#[test]
fn links_that_end_digests_and_reminders_are_replaced() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let links = ["3-digests", "3-reminders"].map(|link| {
        let signature = world.app.store.secrets().sign_unsubscribe(link);
        format!("http://x/unsubscribe/{link}-{signature}")
    });
    send(&world, &mail("bob", &to, "", &links.join("\n\n"))).assert_status(201);
    assert_eq!(
        notes(&world, id),
        ["http://x/unsubscribe/…\n\nhttp://x/unsubscribe/…"]
    );
}

#[test]
fn tokens_and_links_are_replaced_in_every_form() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let token = to
        .trim_start_matches("reply+")
        .split('@')
        .next()
        .unwrap()
        .to_owned();
    let link = unsubscribe_link(&world);
    let (begin, end) = token.split_at(20);
    let text = format!(
        "mailto:reply%2B{token}@example.net\n\nreply+{begin}\u{200b}{end}\n\nhttp://x/unsubscribe/{link}\n\nreply+{begin}\n{end}"
    );
    send(&world, &mail("bob", &to, "", &text)).assert_status(201);
    assert_eq!(
        notes(&world, id),
        ["mailto:reply%2B…@example.net\n\nreply+…\n\nhttp://x/unsubscribe/…\n\nreply+…"]
    );
    let page = Browser::logged_in(&world, "carol").get("/journals/1/mail");
    assert!(
        !page.body.contains(&link) && !page.body.contains(&token),
        "{}",
        page.body
    );
    world.set(Setting::MailNewIssues, "1");
    let new = address(
        &world,
        "bob",
        ReplyTarget::Project {
            project: ProjectId(1),
            number: 0,
        },
    );
    let text = format!("a new issue\n\nhttp://x/unsubscribe/{link}\n{new}");
    send(&world, &mail("bob", &new, "", &text)).assert_status(201);
    assert_eq!(
        world.show_issue("admin", 2, "")["description"],
        "a new issue\r\n\r\nhttp://x/unsubscribe/…\r\nreply+…@example.net"
    );
}

#[test]
fn tokens_and_links_in_attached_mails_are_masked() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let link = unsubscribe_link(&world);
    let encoded = base64(&format!("before http://x/unsubscribe/{link} after"));
    let attached = format!(
        "Content-Type: message/rfc822\nContent-Disposition: attachment; filename=orig.eml\n\nReply-To: {to}\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n{encoded}"
    );
    let log = format!("Content-Type: application/octet-stream; name=a.bin\n\n{link}\n");
    send(
        &world,
        &multipart(&to, &["Content-Type: text/plain\n\nsee", &attached, &log]),
    )
    .assert_status(201);
    let carol = world.as_user("carol");
    let mail = carol.get("/attachments/download/1").assert_status(200).body;
    assert!(mail.contains("Reply-To: reply+xxxx"), "{mail}");
    assert!(
        mail.contains("before http://x/unsubscribe/x-x-x-xxxx"),
        "{mail}"
    );
    assert!(!mail.contains(&link) && !mail.contains(&encoded), "{mail}");
    let file = carol.get("/attachments/download/2").assert_status(200).body;
    assert_eq!(file.trim_end().len(), link.len(), "{file}");
    assert!(file.starts_with("x-x-x-xxxx"), "{file}");
}

/// Encodes a text of ASCII characters.
fn base64(text: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(text)
}

#[test]
fn answer_is_private_if_one_of_the_notes_of_its_mail_is_private_now() {
    let (world, id) = world();
    for text in ["one", "two", "three"] {
        world
            .as_user("alice")
            .put(
                &format!("/issues/{id}.json"),
                json!({"issue": {"notes": text}}),
            )
            .assert_status(200);
    }
    let target = |note: i64, last: i64| ReplyTarget::Issue {
        issue: IssueId(id),
        note: JournalId(note),
        last: JournalId(last),
        private: false,
    };
    world
        .as_user("alice")
        .put(
            "/journals/2.json",
            json!({"journal": {"private_notes": true}}),
        )
        .assert_status(200);
    let answer = |login: &str, note: i64, last: i64, text: &str| {
        let to = address(&world, login, target(note, last));
        send(&world, &mail(login, &to, "", text)).status
    };
    assert_eq!(answer("alice", 1, 3, "of all"), 201);
    assert_eq!(answer("alice", 2, 3, "of two"), 201);
    assert_eq!(answer("alice", 3, 3, "of the last"), 201);
    assert_eq!(answer("alice", 1, 99, "of a note that is gone"), 201);
    assert_eq!(answer("carol", 1, 3, "may not write privately"), 422);
    assert_eq!(answer("carol", 1, 1, "of the first"), 201);
    assert_eq!(
        notes(&world, id)[3..],
        [
            "private: of all",
            "private: of two",
            "of the last",
            "private: of a note that is gone",
            "of the first"
        ]
    );
}

#[test]
fn files_of_refused_mails_do_not_stay() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let file = "Content-Type: text/x-log; name=a.log\n\nthe content of the file";
    let blobs = || {
        let mut count = 0;
        let mut folders = vec![world.app.store.folder().join("files")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    count += 1;
                }
            }
        }
        count
    };
    world.set(Setting::MailMaxPerHour, "1");
    send(&world, &mail("bob", &to, "", "without a file")).assert_status(201);
    send(&world, &multipart(&to, &["\nrefused", file])).assert_status(422);
    assert_eq!(blobs(), 0);
    world.set(Setting::MailMaxPerHour, "2");
    send(&world, &multipart(&to, &["\naccepted", file])).assert_status(201);
    let kept = blobs();
    // The file of an accepted mail stays when another mail with it is refused.
    send(&world, &multipart(&to, &["\nrefused again", file])).assert_status(422);
    assert_eq!(blobs(), kept);
    let shown = world.show_issue("bob", id, "attachments");
    let path = format!("/attachments/download/{}", shown["attachments"][0]["id"]);
    world
        .as_user("bob")
        .get(&path)
        .assert_status(200)
        .assert_contains("the content of the file");
}

#[test]
fn one_odd_file_does_not_refuse_the_mail() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let long = "n".repeat(300);
    let parts = [
        "\nsee the files".to_owned(),
        format!("Content-Type: image/x; name=\"{long}.png\"\n\nx"),
        "Content-Type: a/b/c\nContent-Disposition: attachment; filename=\"/\"\n\nx".to_owned(),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    send(&world, &multipart(&to, &parts)).assert_status(201);
    let shown = world.show_issue("bob", id, "attachments");
    assert_eq!(shown["attachments"].as_array().unwrap().len(), 2, "{shown}");
    assert_eq!(shown["attachments"][1]["filename"], "file");
}

#[test]
fn one_mail_to_two_addresses_becomes_two_notes() {
    let world = World::with_projects();
    enable(&world);
    let first = world.issue("open").create();
    let second = world.issue("open").create();
    let both = [first, second].map(|id| address(&world, "bob", issue(id)));
    let text = mail("bob", &both.join(", "), "", "for both");
    for to in &both {
        let delivered = format!("Delivered-To: {to}\r\n{text}");
        send(&world, &delivered).assert_status(201);
        send(&world, &delivered).assert_status(201);
    }
    assert_eq!(notes(&world, first), ["for both"]);
    assert_eq!(notes(&world, second), ["for both"]);
}
