//! Mail: what arrives, the outbox, the job that sends it, `quarry mail test`, `/admin/mail`.

mod account;
mod address;
mod approvals;
mod command;
mod crash;
mod devices;
mod digests;
mod event_texts;
mod inbound;
mod notices;
mod oracle;
mod outbox;
mod page;
mod real;
mod registration;
mod reminders;
mod sendmail;
mod server;

pub use server::MailServer;

use quarry::domain::administration::mail::{MailKind, NewMail};
use quarry::jobs::outbox::{Report, run_once};
use quarry_world::{Response, World, user};
use server::Received;

/// Starts a world that sends mails to a server. Each user has an address.
pub fn world(server: &MailServer) -> World {
    world_with(&server.url())
}

/// The same with this value of the key `mail`.
pub fn world_with(mail: &str) -> World {
    let world = World::with_projects().with_mail(mail);
    world.sql("UPDATE users SET mail = lower(login) || '@example.org' WHERE id <= 6");
    world
}

/// Inserts a test mail to each of these users. Returns how many were inserted.
pub fn insert(world: &World, logins: &[&str]) -> usize {
    let new: Vec<NewMail> = logins
        .iter()
        .map(|login| NewMail::to_user(MailKind::Test, user(login)))
        .collect();
    world.write(move |db| quarry::actions::notices::outbox::insert(db, &new))
}

/// Sends what is due.
#[track_caller]
pub fn send(world: &World) -> Report {
    run_once(&world.app).unwrap()
}

/// Returns the path of the link with which programs unsubscribe from mails like this one.
pub fn unsubscribe_path(mail: &Received) -> String {
    let post = mail.header("List-Unsubscribe-Post");
    assert_eq!(post, Some("List-Unsubscribe=One-Click"));
    let link = mail.header("List-Unsubscribe").unwrap();
    let link = link.trim_matches(['<', '>']);
    link[link.find("/unsubscribe/").unwrap()..].to_owned()
}

/// Sends the form that mail programs send (RFC 8058).
pub fn unsubscribe(world: &World, path: &str) -> Response {
    world.anonymous().send(
        axum::http::Method::POST,
        path,
        Some("application/x-www-form-urlencoded"),
        b"List-Unsubscribe=One-Click".to_vec(),
    )
}

/// Makes all mails due now, also those of a lease.
pub fn make_due(world: &World) {
    world.sql("UPDATE mails SET send_on = created_on WHERE state <> 'failed'");
}

/// Returns the number of mails in this state.
pub fn count(world: &World, state: &str) -> i64 {
    let sql = format!("SELECT COUNT(*) FROM mails WHERE state = '{state}'");
    world.database().value(&sql)
}
