//! `/journals/:id/mail`: the complete text of a mail.

use super::{address, enable, issue, mail, notes, send, world};
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::reply_token::ReplyTarget;
use quarry::domain::ids::{IssueId, JournalId, ProjectId};
use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::json;

#[test]
fn original_is_one_click_away_for_readers_of_the_note() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    send(&world, &mail("bob", &to, "", "short\n\n> the quoted part")).assert_status(201);
    world
        .as_user("alice")
        .put(
            &format!("/issues/{id}.json"),
            json!({"issue": {"notes": "by hand"}}),
        )
        .assert_status(200);
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get(&format!("/issues/{id}")).assert_status(200);
    assert_eq!(page.body.matches(">Original mail<").count(), 1);
    assert!(page.body.contains("href=\"/journals/1/mail\""));
    carol
        .get("/journals/1/mail")
        .assert_status(200)
        .assert_contains("the quoted part")
        .assert_contains("<dt>From</dt><dd>bob Tester</dd>")
        .assert_contains("Fri, 20 Nov 2026 12:00:00 +0000")
        .assert_contains(&format!("href=\"/issues/{id}#note-1\""));
    // Addresses are hidden as everywhere.
    for login in ["bob", "admin"] {
        Browser::logged_in(&world, login)
            .get("/journals/1/mail")
            .assert_contains("bob Tester &lt;bob@example.net&gt;");
    }
    world.set(Setting::LoginRequired, "0");
    let page = world.anonymous().get(&format!("/issues/{id}"));
    assert!(page.assert_status(200).body.contains("short"));
    let page = world.anonymous().get(&format!("/issues/{id}"));
    assert!(!page.body.contains("Original mail"));
    assert_eq!(world.anonymous().get("/journals/1/mail").status, 302);
    assert_eq!(
        carol.get("/journals/2/mail").status,
        404,
        "it came by no mail"
    );
    assert_eq!(carol.get("/journals/99/mail").status, 404);
    assert_eq!(carol.get("/journals/x/mail").status, 404);
}

#[test]
fn original_of_a_hidden_note_is_hidden() {
    let (world, id) = world();
    let target = ReplyTarget::Issue {
        issue: IssueId(id),
        note: JournalId(0),
        last: JournalId(0),
        private: true,
    };
    let to = address(&world, "alice", target);
    send(&world, &mail("alice", &to, "", "quiet")).assert_status(201);
    assert_eq!(notes(&world, id), ["private: quiet"]);
    let status = |login: &str| {
        Browser::logged_in(&world, login)
            .get("/journals/1/mail")
            .status
    };
    assert_eq!((status("alice"), status("carol")), (200, 404));
    world.sql(&format!("UPDATE issues SET is_private = 1 WHERE id = {id}"));
    assert_eq!((status("alice"), status("dave")), (200, 404));
}

#[test]
fn original_goes_with_the_text_of_the_note() {
    let (world, id) = world();
    let to = address(&world, "alice", issue(id));
    send(&world, &mail("alice", &to, "", "to be deleted")).assert_status(201);
    let count = || {
        world
            .database()
            .value::<i64>("SELECT COUNT(*) FROM original_mails")
    };
    assert_eq!(count(), 1);
    world
        .as_user("admin")
        .put("/journals/1.json", json!({"journal": {"notes": ""}}))
        .assert_status(204);
    assert_eq!(count(), 0);
    // A note with changes keeps these, not its text.
    send(&world, &mail("alice", &to, "", "another")).assert_status(201);
    world.sql("INSERT INTO journal_details (journal_id, property, name, new_value) SELECT MAX(id), 'attr', 'done_ratio', '10' FROM journals");
    let last = world
        .database()
        .value::<i64>("SELECT MAX(id) FROM journals");
    world
        .as_user("admin")
        .put(
            &format!("/journals/{last}.json"),
            json!({"journal": {"notes": ""}}),
        )
        .assert_status(200);
    assert_eq!(count(), 0);
    assert_eq!(notes(&world, id), [""]);
}

#[test]
fn tokens_in_quoted_headers_are_shown_to_nobody() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let text = format!("see {to}\n\n-----Original Message-----\nReply-To: {to}\n");
    send(&world, &mail("bob", &to, "", &text)).assert_status(201);
    let quoted = "-----Original Message-----\nReply-To: reply+…@example.net";
    assert_eq!(
        notes(&world, id),
        [format!("see reply+…@example.net\n\n{quoted}")]
    );
    let page = Browser::logged_in(&world, "bob").get("/journals/1/mail");
    let page = page.assert_status(200);
    assert!(
        page.body.contains("Reply-To: reply+…@example.net"),
        "{}",
        page.body
    );
}

#[test]
fn originals_of_messages_and_issues_are_shown_to_their_readers() {
    let world = World::with_records("open");
    enable(&world);
    world.set(Setting::MailNewIssues, "1");
    let to = address(&world, "bob", ReplyTarget::Message(2));
    let text = "by mail\n\n> the quoted part";
    send(&world, &mail("bob", &to, "", text)).assert_status(201);
    let project = ReplyTarget::Project {
        project: ProjectId(1),
        number: 0,
    };
    let to = address(&world, "bob", project);
    send(&world, &mail("bob", &to, "", text)).assert_status(201);
    let carol = Browser::logged_in(&world, "carol");
    for (page, mail, label) in [
        ("/boards/1/topics/1", "/messages/3/mail", "message"),
        ("/issues/2", "/issues/2/mail", "issue"),
    ] {
        let body = carol.get(page).assert_status(200).body;
        assert_eq!(body.matches(">Original mail<").count(), 1, "{page}");
        assert!(body.contains(&format!("href=\"{mail}\"")), "{page}");
        carol
            .get(mail)
            .assert_status(200)
            .assert_contains("the quoted part")
            .assert_contains("<dt>From</dt><dd>bob Tester</dd>")
            .assert_contains(&format!("Show the {label}"));
        assert_eq!(world.anonymous().get(mail).status, 302, "{mail}");
    }
    for (path, status) in [
        ("/messages/2/mail", 404),
        ("/messages/99/mail", 404),
        ("/issues/1/mail", 404),
        ("/issues/99/mail", 404),
    ] {
        assert_eq!(carol.get(path).status, status, "{path}");
    }
    world.sql("UPDATE issues SET is_private = 1 WHERE id = 2");
    world.sql("DELETE FROM role_permissions WHERE name = 'view_messages'");
    for path in ["/issues/2/mail", "/messages/3/mail"] {
        assert_eq!(
            Browser::logged_in(&world, "dave").get(path).status,
            404,
            "{path}"
        );
    }
    // They go with their records.
    let admin = world.as_user("admin");
    admin.delete("/issues/2.json").assert_status(200);
    admin.delete("/messages/3.json").assert_status(200);
    for table in ["original_issue_mails", "original_message_mails"] {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        assert_eq!(world.database().value::<i64>(&sql), 0, "{table}");
    }
}
