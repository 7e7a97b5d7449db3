//! The texts of events in mails.

use super::notices::{deliver, text};
use super::server::Received;
use super::{MailServer, digests, world};
use quarry::domain::administration::setting::Setting;
use quarry_world::{World, user};
use serde_json::json;

/// Returns the mail to the user.
#[track_caller]
fn mail_to<'m>(mails: &'m [Received], login: &str) -> &'m Received {
    let mut mails = mails.iter();
    mails.find(|mail| mail.to[0].contains(login)).unwrap()
}

/// Returns the HTML part of a mail, decoded as far as the tests need it.
fn html(mail: &Received) -> String {
    let (_, html) = mail.data.split_once("Content-Type: text/html").unwrap();
    html.replace("=\r\n", "")
        .replace("=3D", "=")
        .replace("\r\n", "\n")
}

fn announce(world: &World, summary: &str) {
    let news = json!({"news": {"title": "Release", "summary": summary, "description": "It has\ntwo pumps."}});
    world
        .as_user("alice")
        .post("/projects/open/news.json", news)
        .assert_status(201);
}

#[test]
fn mail_about_news_has_summary_and_description() {
    let server = MailServer::start();
    let world = world(&server);
    announce(&world, "Version 2 is out");
    let mails = deliver(&world, &server);
    let mail = mail_to(&mails, "bob");
    for part in [text(mail), html(mail)] {
        let expected = "Version 2 is out\n\nIt has\ntwo pumps.";
        assert!(part.contains(expected), "{part}");
    }
    announce(&world, "");
    let mails = deliver(&world, &server);
    let text = text(mail_to(&mails, "bob"));
    assert!(text.contains("UTC\n\nIt has\ntwo pumps.\n"), "{text}");
}

#[test]
fn digest_has_the_beginning_of_summary_and_description() {
    let server = MailServer::start();
    let world = world(&server);
    digests::choose(&world, "carol", "daily");
    announce(&world, "Version 2 is out");
    let mails = digests::deliver(&world, &server);
    let text = text(mail_to(&mails, "carol"));
    let words: Vec<&str> = text.split_whitespace().collect();
    let expected = ": Version 2 is out It has two pumps.";
    assert!(words.join(" ").contains(expected), "{text}");
}

fn write_page(world: &World, text: &str, comment: &str) {
    let page = json!({"wiki_page": {"text": text, "comments": comment}});
    let path = "/projects/open/wiki/Pump_guide.json";
    let saved = world.as_user("alice").put(path, page);
    assert!(matches!(saved.status, 200 | 201));
}

#[test]
fn mail_about_a_new_wiki_page_has_comment_and_text() {
    let server = MailServer::start();
    let world = world(&server);
    write_page(&world, "Ask @bob\nabout <valves>.", "First draft");
    let mails = deliver(&world, &server);
    let mail = mail_to(&mails, "bob");
    assert_eq!(mail.header("X-Quarry-Reason"), Some("mentioned"));
    assert_eq!(mail.header("X-Redmine-Wiki-Page-Id"), Some("1"));
    assert_eq!(mail.header("X-Redmine-Issue-Priority"), None);
    let text = text(mail);
    let expected = "First draft\n\nAsk @bob\nabout <valves>.\n";
    assert!(text.contains(expected), "{text}");
    assert!(!text.contains("What changed"), "{text}");
    assert!(html(mail).contains("about &#60;valves&#62;."));
}

#[test]
fn mail_about_an_edited_wiki_page_has_comment_and_link_to_what_changed() {
    let server = MailServer::start();
    let world = world(&server);
    world.set(Setting::HostName, "tracker.example.org");
    write_page(&world, "One", "");
    let watcher = json!({"watcher": {"user_ids": [user("bob").0]}});
    world
        .as_user("admin")
        .post("/projects/open/wiki/Pump_guide/watchers.json", watcher)
        .assert_status(204);
    write_page(&world, "Two", "Added valves");
    let mails = deliver(&world, &server);
    let mail = mail_to(&mails, "bob");
    let text = text(mail);
    let path = "/projects/open/wiki/Pump_guide/diff?version=2&version_from=1";
    let expected = format!("Added valves\n\nWhat changed:\nhttp://tracker.example.org{path}\n");
    assert!(text.contains(&expected), "{text}");
    assert!(html(mail).contains("version=2&#38;version_from=1\">What changed</a>"));
    world
        .as_user("bob")
        .get(path)
        .assert_status(200)
        .assert_contains("Two");
}

#[test]
fn mail_about_a_new_issue_has_the_attributes_that_its_recipient_sees() {
    let server = MailServer::start();
    let world = world(&server);
    let admin = world.as_user("admin");
    let version = admin
        .post(
            "/projects/open/versions.json",
            json!({"version": {"name": "2.0"}}),
        )
        .assert_status(201)
        .integer("/version/id");
    let category = admin
        .post(
            "/projects/open/issue_categories.json",
            json!({"issue_category": {"name": "Valves"}}),
        )
        .assert_status(201)
        .integer("/issue_category/id");
    let parent = world.issue("open").subject("Pumps").create();
    let hidden = world.issue("open").subject("Fraud").private().create();
    deliver(&world, &server);
    let upload = || {
        let sent = world.as_user("alice").send(
            axum::http::Method::POST,
            "/uploads.json?filename=valve.txt",
            Some("application/octet-stream"),
            b"leak".to_vec(),
        );
        let token = sent.assert_status(201).json()["upload"]["token"].clone();
        json!([{"token": token}])
    };
    let create = |parent: i64| {
        let issue = world.issue("open").subject("Leak").parent(parent);
        let issue = issue.field("assigned_to_id", user("bob").0);
        let issue = issue.field("fixed_version_id", version);
        let issue = issue.field("category_id", category);
        let issue = issue.field("due_date", "2026-12-24");
        issue.field("uploads", upload()).create()
    };
    let id = create(parent);
    let mails = deliver(&world, &server);
    let mail = mail_to(&mails, "bob");
    let lines = [
        "Assignee: bob Tester",
        "Category: Valves",
        "Target version: 2.0",
        "Parent task: #1 Pumps",
        "Due date: 24 Dec 2026",
        "Files: valve.txt",
    ];
    let text_part = text(mail);
    assert!(text_part.contains(&lines.join("\n")), "{text_part}");
    let html = html(mail);
    assert!(html.contains(&lines.join("<br>")), "{html}");
    // A mail about a later change has only what every mail has.
    let note = json!({"issue": {"notes": "Seen"}});
    let path = format!("/issues/{id}.json");
    world.as_user("alice").put(&path, note).assert_status(200);
    let mails = deliver(&world, &server);
    let later = text(mail_to(&mails, "bob"));
    assert!(later.contains("Assignee: bob Tester\n\n"), "{later}");
    create(hidden);
    let mails = deliver(&world, &server);
    let text_part = text(mail_to(&mails, "bob"));
    assert!(
        text_part.contains("Target version: 2.0\nDue date:"),
        "{text_part}"
    );
}
