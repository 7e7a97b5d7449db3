//! New issues by mail.

use super::{address, mail, send, world};
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::reply_token::ReplyTarget;
use quarry::domain::ids::ProjectId;
use quarry_world::browser::Browser;

fn project(id: i64) -> ReplyTarget {
    ReplyTarget::Project {
        project: ProjectId(id),
        number: 0,
    }
}

#[test]
fn mail_to_the_own_address_of_a_project_becomes_an_issue() {
    let (world, _) = world();
    world.set(Setting::MailNewIssues, "1");
    let to = address(&world, "bob", project(1));
    let text = mail(
        "bob",
        &to,
        "",
        "It crashes.\n\n---------- Forwarded message ---------\nFrom: a customer\n\nhelp",
    )
    .replace("Re: an issue", "Crash");
    send(&world, &text).assert_status(201);
    send(&world, &text).assert_status(201);
    let issue = world.show_issue("admin", 2, "");
    assert_eq!(issue["subject"], "Crash");
    assert_eq!(issue["author"]["id"], 3);
    assert_eq!(issue["project"]["id"], 1);
    assert!(
        issue["description"]
            .as_str()
            .unwrap()
            .contains("a customer")
    );
    assert_eq!(
        world.database().value::<i64>("SELECT COUNT(*) FROM issues"),
        2
    );
    let without_subject = mail("bob", &to, "", "text").replace("Subject: Re: an issue\r\n", "");
    send(&world, &without_subject).assert_status(201);
    assert_eq!(world.show_issue("admin", 3, "")["subject"], "(no subject)");
}

#[test]
fn signature_of_a_mail_makes_no_heading_in_a_new_issue() {
    let (world, _) = world();
    world.set(Setting::MailNewIssues, "1");
    let to = address(&world, "bob", project(1));
    for (id, text, description) in [
        (
            2,
            "Please fix the printer.\n-- \nName",
            "Please fix the printer.",
        ),
        (
            3,
            "Best regards\n--\nName",
            "Best regards\r\n\r\n--\r\nName",
        ),
    ] {
        send(&world, &mail("bob", &to, "", text)).assert_status(201);
        assert_eq!(
            world.show_issue("admin", id, "")["description"],
            description
        );
        let page = Browser::logged_in(&world, "bob").get(&format!("/issues/{id}"));
        let words = text.split('\n').next().unwrap();
        page.assert_status(200)
            .assert_contains(&format!("<p>{words}</p>"));
    }
}

#[test]
fn form_for_a_new_issue_shows_the_own_address() {
    let (world, _) = world();
    let bob = Browser::logged_in(&world, "bob");
    let link = "Write the issue by mail";
    let page = bob.get("/projects/open/issues/new").assert_status(200);
    assert!(!page.body.contains(link), "it is off");
    world.set(Setting::MailNewIssues, "1");
    let to = address(&world, "bob", project(1));
    bob.get("/projects/open/issues/new")
        .assert_status(200)
        .assert_contains(&format!("<a href=\"mailto:{to}\">{link}</a>"));
    let none = bob.get("/issues/new").assert_status(200);
    assert!(!none.body.contains(link), "the project can be chosen there");
}

#[test]
fn new_issues_need_the_setting_the_secret_the_sender_and_the_right() {
    let (world, _) = world();
    let to = address(&world, "bob", project(1));
    send(&world, &mail("bob", &to, "", "off")).assert_status(422);
    world.set(Setting::MailNewIssues, "1");
    for text in [
        mail("bob", "reply+new-open@example.net", "", "no secret"),
        mail("alice", &to, "", "the address of bob"),
        mail("mallory", &to, "", "a stranger"),
        mail("dave", &address(&world, "dave", project(2)), "", "hidden"),
        mail("dave", &address(&world, "dave", project(99)), "", "missing"),
    ] {
        send(&world, &text).assert_status(422);
    }
    world.sql("DELETE FROM role_permissions WHERE name = 'add_issues'");
    send(&world, &mail("bob", &to, "", "no right")).assert_status(422);
    assert_eq!(
        world.database().value::<i64>("SELECT COUNT(*) FROM issues"),
        1
    );
}

#[test]
fn new_address_makes_the_old_one_stop_working() {
    let (world, _) = world();
    world.set(Setting::MailNewIssues, "1");
    let bob = Browser::logged_in(&world, "bob");
    let shown = || {
        let page = bob.get("/projects/open/issues/new").assert_status(200);
        let (_, rest) = page.body.split_once("mailto:").unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    let first = shown();
    let of_alice = address(&world, "alice", project(1));
    let path = "/projects/open/issues/new_address";
    for _ in 0..2 {
        let page = bob.get("/projects/open/issues/new");
        bob.submit(&page, path, &[]).assert_status(303);
    }
    let second = shown();
    assert_ne!(first, second);
    send(&world, &mail("bob", &first, "", "to the old one")).assert_status(422);
    send(&world, &mail("bob", &second, "", "to the new one")).assert_status(201);
    send(&world, &mail("alice", &of_alice, "", "others keep theirs")).assert_status(201);
    let count = || world.database().value::<i64>("SELECT COUNT(*) FROM issues");
    assert_eq!(count(), 3);
    // Only who has an address gets another one.
    world.set(Setting::MailNewIssues, "0");
    let page = bob.get("/my/account");
    assert_eq!(bob.submit(&page, path, &[]).status, 404);
    world.set(Setting::MailNewIssues, "1");
    let dave = Browser::logged_in(&world, "dave");
    let path = "/projects/secret/issues/new_address";
    let page = dave.get("/my/account");
    assert_eq!(dave.submit(&page, path, &[]).status, 404);
}
