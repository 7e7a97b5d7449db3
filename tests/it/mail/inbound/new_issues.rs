//! New issues by mail.

use super::{address, mail, send, world};
use crate::web::browser::Browser;
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::reply_token::ReplyTarget;
use quarry::domain::ids::ProjectId;

#[test]
fn mail_to_the_own_address_of_a_project_becomes_an_issue() {
    let (world, _) = world();
    world.set(Setting::MailNewIssues, "1");
    let to = address(&world, "bob", ReplyTarget::Project(ProjectId(1)));
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
fn form_for_a_new_issue_shows_the_own_address() {
    let (world, _) = world();
    let bob = Browser::logged_in(&world, "bob");
    let link = "Write the issue by mail";
    let page = bob.get("/projects/open/issues/new").assert_status(200);
    assert!(!page.body.contains(link), "it is off");
    world.set(Setting::MailNewIssues, "1");
    let to = address(&world, "bob", ReplyTarget::Project(ProjectId(1)));
    bob.get("/projects/open/issues/new")
        .assert_status(200)
        .assert_contains(&format!("<a href=\"mailto:{to}\">{link}</a>"));
    let none = bob.get("/issues/new").assert_status(200);
    assert!(!none.body.contains(link), "the project can be chosen there");
}

#[test]
fn new_issues_need_the_setting_the_secret_the_sender_and_the_right() {
    let (world, _) = world();
    let project = ReplyTarget::Project(ProjectId(1));
    let to = address(&world, "bob", project);
    send(&world, &mail("bob", &to, "", "off")).assert_status(422);
    world.set(Setting::MailNewIssues, "1");
    for text in [
        mail("bob", "reply+new-open@example.net", "", "no secret"),
        mail("alice", &to, "", "the address of bob"),
        mail("mallory", &to, "", "a stranger"),
        mail(
            "dave",
            &address(&world, "dave", ReplyTarget::Project(ProjectId(2))),
            "",
            "hidden",
        ),
        mail(
            "dave",
            &address(&world, "dave", ReplyTarget::Project(ProjectId(99))),
            "",
            "missing",
        ),
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
