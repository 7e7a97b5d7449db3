//! Answers by mail: `POST /mail_handler`, `quarry mail receive`, `/journals/:id/mail`.

mod answers;
mod attacks;
mod command;
mod handler;
mod leaks;
mod new_issues;
mod original;
mod refusals;

use axum::http::Method;
use quarry::actions::content::reply_addresses;
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::reply_token::ReplyTarget;
use quarry::domain::ids::{IssueId, JournalId};
use quarry_world::{Response, World, percent_encode, user};
use std::hash::{DefaultHasher, Hash, Hasher};

const KEY: &str = "a-key-of-the-mail-server";

/// Switches answers by mail on.
pub fn enable(world: &World) {
    world.sql("UPDATE users SET mail = login || '@example.net' WHERE id <= 6");
    world.set(Setting::MailReplyAddress, "reply@example.net");
    world.set(Setting::MailHandlerApiEnabled, "1");
    world.set(Setting::MailHandlerApiKey, KEY);
}

/// A world with an issue by alice in the project `open` and its id.
fn world() -> (World, i64) {
    let world = World::with_projects();
    enable(&world);
    let id = world.issue("open").create();
    (world, id)
}

pub fn issue(id: i64) -> ReplyTarget {
    ReplyTarget::Issue {
        issue: IssueId(id),
        note: JournalId(0),
        last: JournalId(0),
        private: false,
    }
}

/// Returns the address to which a user answers.
pub fn address(world: &World, login: &str, target: ReplyTarget) -> String {
    let login = user(login);
    world
        .app
        .store
        .read(|db| {
            Ok::<_, quarry::store::StoreError>(reply_addresses::reply_address(db, login, target))
        })
        .unwrap()
        .unwrap()
}

/// Returns a mail with this text from a user to an address, with further lines of its header.
pub fn mail(login: &str, to: &str, header: &str, text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (login, to, header, text).hash(&mut hasher);
    let id = hasher.finish();
    format!(
        "From: {login} Tester <{login}@example.net>\nTo: {to}\nSubject: Re: an issue\nDate: Fri, 20 Nov 2026 12:00:00 +0000\nMessage-ID: <{id}.{login}@mail.example.org>\nContent-Type: text/plain; charset=utf-8\n{header}\n{text}\n"
    )
    .replace('\n', "\r\n")
}

/// Sends a form to the mail handler.
fn send_form(world: &World, fields: &[(&str, &str)]) -> Response {
    let form: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", percent_encode(value)))
        .collect();
    world.anonymous().send(
        Method::POST,
        "/mail_handler",
        Some("application/x-www-form-urlencoded"),
        form.join("&").into_bytes(),
    )
}

/// Sends a mail with the key of the mail server.
pub fn send(world: &World, mail: &str) -> Response {
    send_form(world, &[("key", KEY), ("email", mail)])
}

/// Returns the notes of an issue, oldest first, private ones marked.
pub fn notes(world: &World, id: i64) -> Vec<String> {
    let issue = world.show_issue("admin", id, "journals");
    let journals = issue["journals"].as_array().unwrap();
    journals
        .iter()
        .map(|journal| {
            let mark = if journal["private_notes"] == true {
                "private: "
            } else {
                ""
            };
            format!("{mark}{}", journal["notes"].as_str().unwrap_or_default())
        })
        .collect()
}
