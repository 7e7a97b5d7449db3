//! From a change to a note: the mail goes out through Exim, the answer comes back through Dovecot.

use super::servers::Servers;
use crate::mail::inbound::{enable, notes};
use crate::mail::{count, make_due, send};
use quarry::config::Encryption;
use quarry::domain::administration::setting::Setting;
use quarry::jobs::mailbox::{Report, run_once};
use quarry_world::{World, user};
use serde_json::json;

/// A world that sends through Exim and receives from Dovecot.
fn world(servers: &Servers) -> World {
    let world = World::with_projects()
        .with_mail(&format!("smtp://127.0.0.1:{}", servers.smtp))
        .with_mailbox(servers.mailbox(Encryption::Opportunistic));
    enable(&world);
    world.set(Setting::HostName, "tracker.example.net");
    world
}

/// Returns the value of a header, unfolded.
fn header(mail: &str, name: &str) -> String {
    let (head, _) = mail.split_once("\n\n").unwrap();
    let head = head.replace("\n ", " ").replace("\n\t", " ");
    head.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
        .unwrap_or_else(|| panic!("no {name} in {head}"))
        .to_owned()
}

#[test]
fn answer_to_a_notice_becomes_a_note() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let world = world(&servers);
    let id = world.issue("open").subject("Crash").create();
    let change = json!({"issue": {"notes": "Please look, @bob", "assigned_to_id": user("bob").0}});
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), change)
        .assert_status(200);
    assert_eq!(send(&world).sent, 1);
    let (sent, _) = servers.wait_for("bob", 1).remove(0);
    let sent = sent.replace("\r\n", "\n");
    assert_eq!(header(&sent, "Subject"), "[open - Bug #1] (New) Crash");
    let reply_to = header(&sent, "Reply-To");
    let (_, to) = reply_to.rsplit_once('<').unwrap();
    let to = to.trim_end_matches('>');
    assert!(
        to.starts_with("reply+") && to.ends_with("@example.net"),
        "{to}"
    );
    let message_id = header(&sent, "Message-ID");
    let quoted: String = sent.lines().map(|line| format!("> {line}\n")).collect();
    let answer = format!(
        "From: Bob <bob@example.net>\nTo: {to}\nSubject: Re: Crash\nMessage-ID: <answer@client.example.net>\nIn-Reply-To: {message_id}\nContent-Type: text/plain; charset=utf-8\n\nIt works for me. Gr\u{fc}\u{df}e\n\n{quoted}"
    );
    servers.submit("bob@example.net", to, &answer);
    servers.wait_for("reply", 1);
    let report = run_once(&world.app).unwrap();
    assert_eq!(
        report,
        Report {
            accepted: 1,
            refused: 0
        }
    );
    assert_eq!(
        notes(&world, id),
        ["Please look, @bob", "It works for me. Gr\u{fc}\u{df}e"]
    );
    let issue = world.show_issue("admin", id, "journals");
    assert_eq!(issue["journals"][1]["user"]["id"], user("bob").0);
    assert_eq!(run_once(&world.app).unwrap(), Report::default());
}

#[test]
fn mails_wait_while_the_server_is_stopped() {
    let Some(mut servers) = Servers::start() else {
        return;
    };
    let world = world(&servers);
    crate::mail::insert(&world, &["alice", "bob", "carol"]);
    servers.stop_exim();
    assert!(send(&world).unavailable.is_some());
    assert_eq!(count(&world, "waiting"), 3);
    servers.start_exim();
    make_due(&world);
    let report = send(&world);
    // Exim refuses the address of carol; the others get theirs.
    assert_eq!((report.sent, report.failed), (2, 1));
    assert_eq!(
        (
            servers.wait_for("alice", 1).len(),
            servers.wait_for("bob", 1).len()
        ),
        (1, 1)
    );
    let error: String = world.database().value("SELECT error FROM mails");
    assert!(
        error.starts_with("550") && error.contains("unknown user"),
        "{error}"
    );
}
