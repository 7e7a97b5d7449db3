//! The job that receives mails by IMAP, with Dovecot.

use super::servers::Servers;
use crate::mail::inbound::{address, enable, issue, mail, notes, send};
use quarry::config::Encryption;
use quarry::domain::administration::mail::{MailboxState, MailboxStatus};
use quarry::domain::administration::setting::Setting;
use quarry::jobs::mailbox::{Report, run, run_once};
use quarry::mail::imap::{Mailbox, Waiting};
use quarry::store::StoreError;
use quarry::store::administration::mailbox;
use quarry_world::World;
use quarry_world::wait::{TIMEOUT, until};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A world that receives the mails of the mailbox `reply`, with an issue and its id.
fn world(servers: &Servers) -> (World, i64) {
    let world = World::with_projects().with_mailbox(servers.mailbox(Encryption::Opportunistic));
    enable(&world);
    let id = world.issue("open").create();
    (world, id)
}

fn status(world: &World) -> MailboxStatus {
    world
        .app
        .store
        .read::<_, StoreError>(mailbox::status)
        .unwrap()
}

fn receive(world: &World) -> Report {
    run_once(&world.app).unwrap()
}

/// Runs the job until the end of `during`.
fn with_job(world: &World, during: impl FnOnce()) {
    let (stop, stopped) = channel();
    let app = Arc::clone(&world.app);
    let job: JoinHandle<()> = std::thread::spawn(move || run(&app, &stopped));
    during();
    drop(stop);
    let end = Instant::now();
    job.join().unwrap();
    assert!(end.elapsed() < TIMEOUT, "{:?}", end.elapsed());
}

fn wait_for_state(world: &World, state: MailboxState) {
    until(TIMEOUT, "the job is in the state", || {
        status(world).state == state
    });
}

#[test]
fn mails_are_accepted_once_and_refused_ones_flagged() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let (world, id) = world(&servers);
    let to = address(&world, "bob", issue(id));
    servers.submit("bob@example.net", &to, &mail("bob", &to, "", "by IMAP"));
    servers.submit(
        "mallory@example.org",
        &to,
        &mail("mallory", &to, "", "forged"),
    );
    servers.submit("bob@example.net", "reply@example.net", "no header at all");
    servers.wait_for("reply", 3);
    assert_eq!(
        receive(&world),
        Report {
            accepted: 1,
            refused: 2
        }
    );
    assert_eq!(receive(&world), Report::default());
    assert_eq!(notes(&world, id), ["by IMAP"]);
    let mails = servers.mails("reply");
    let flags = |word: &str| {
        let found = mails.iter().find(|(mail, _)| mail.contains(word));
        found.unwrap().1.clone()
    };
    assert_eq!(flags("by IMAP"), "S");
    assert_eq!(
        (flags("forged").as_str(), flags("no header").as_str()),
        ("FS", "FS")
    );
    let status = status(&world);
    assert!(status.accepted_on.is_some() && status.refused_on.is_some());
}

#[test]
fn mail_that_was_accepted_before_is_only_marked() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let (world, id) = world(&servers);
    let to = address(&world, "bob", issue(id));
    let text = mail("bob", &to, "", "once");
    // As if the power had gone between the note and the mark.
    send(&world, &text).assert_status(201);
    servers.submit("bob@example.net", &to, &text);
    servers.wait_for("reply", 1);
    assert_eq!(
        receive(&world),
        Report {
            accepted: 1,
            refused: 0
        }
    );
    assert_eq!(notes(&world, id), ["once"]);
    assert_eq!(servers.mails("reply")[0].1, "S");
}

#[test]
fn more_mails_than_a_round_has_are_all_received() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let (world, id) = world(&servers);
    world.set(Setting::MailMaxPerHour, "1000");
    let to = address(&world, "bob", issue(id));
    for number in 0..60 {
        let text = mail("bob", &to, "", &format!("note {number}"));
        servers.submit("bob@example.net", &to, &text);
    }
    servers.wait_for("reply", 60);
    assert_eq!(receive(&world).accepted, 60);
    assert_eq!(notes(&world, id).len(), 60);
}

#[test]
fn mails_stay_unseen_while_answers_are_off() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let (world, id) = world(&servers);
    let to = address(&world, "bob", issue(id));
    servers.submit("bob@example.net", &to, &mail("bob", &to, "", "later"));
    servers.wait_for("reply", 1);
    world.set(Setting::MailReplyAddress, "");
    assert_eq!(receive(&world), Report::default());
    with_job(&world, || wait_for_state(&world, MailboxState::Off));
    assert_eq!(servers.mails("reply")[0].1, "");
    world.set(Setting::MailReplyAddress, "reply@example.net");
    assert_eq!(receive(&world).accepted, 1);
}

#[test]
fn server_tells_of_new_mails_and_a_lost_connection_is_made_again() {
    let Some(mut servers) = Servers::start() else {
        return;
    };
    let (world, id) = world(&servers);
    let to = address(&world, "bob", issue(id));
    with_job(&world, || {
        wait_for_state(&world, MailboxState::Idle);
        servers.submit("bob@example.net", &to, &mail("bob", &to, "", "pushed"));
        until(TIMEOUT, "the mail is received", || {
            notes(&world, id) == ["pushed"]
        });
        servers.stop_dovecot();
        until(TIMEOUT, "the failure is named", || {
            let status = status(&world);
            status.state == MailboxState::Failed && !status.error.is_empty()
        });
        servers.submit("bob@example.net", &to, &mail("bob", &to, "", "meanwhile"));
        servers.start_dovecot();
        wait_for_state(&world, MailboxState::Idle);
        until(TIMEOUT, "the other mail is received", || {
            notes(&world, id).len() == 2
        });
    });
    let admin = quarry_world::browser::Browser::logged_in(&world, "admin");
    let page = admin.get("/admin/mail").assert_status(200);
    assert!(page.body.contains("the server tells of new mails (IDLE)"));
    assert!(page.body.contains("imap://reply@localhost:") && !page.body.contains("secret"));
}

#[test]
fn server_without_idle_is_asked_again_and_again() {
    let settings = "protocol imap {\n  imap_capability = IMAP4rev1 LITERAL+\n}";
    let Some(servers) = Servers::start_with(settings) else {
        return;
    };
    let mut mailbox = Mailbox::open(&servers.mailbox(Encryption::Opportunistic), &|| true).unwrap();
    assert_eq!(mailbox.waiting(), Waiting::Poll);
    assert_eq!(mailbox.unseen(10).unwrap(), Vec::<u32>::new());
    servers.submit("bob@example.net", "reply@example.net", "Subject: x\n\ntext");
    servers.wait_for("reply", 1);
    let poll = Duration::from_millis(100);
    mailbox.wait(Duration::from_secs(60), poll).unwrap();
    assert_eq!(mailbox.unseen(10).unwrap(), [1]);
    mailbox.close();
}

#[test]
fn mail_of_thirty_megabytes_is_the_largest() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let (world, id) = world(&servers);
    let to = address(&world, "bob", issue(id));
    let fill = |text: &str, size: usize| {
        let line = format!("> {}\n", "x".repeat(897));
        mail(
            "bob",
            &to,
            "",
            &format!(
                "{text}\n\nOn 20 November 2026, Quarry wrote:\n{}",
                line.repeat(size / 900)
            ),
        )
    };
    servers.submit("bob@example.net", &to, &fill("large", 29 * 1024 * 1024));
    servers.submit("bob@example.net", &to, &fill("too large", 31 * 1024 * 1024));
    servers.wait_for("reply", 2);
    assert_eq!(
        receive(&world),
        Report {
            accepted: 1,
            refused: 1
        }
    );
    assert_eq!(notes(&world, id), ["large"]);
}
