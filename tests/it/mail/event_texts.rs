//! The texts of events in mails.

use super::notices::{deliver, text};
use super::server::Received;
use super::{MailServer, digests, world};
use crate::world::{World, user};
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
