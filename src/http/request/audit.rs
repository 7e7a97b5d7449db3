//! The audit log of events before and after the handler of a request: refused keys, and changes
//! that actions have recorded.
//!
//! Both formats of the log escape line breaks and control characters.

use crate::error::Error;
use metrics::counter;
use quarry_app::{App, Repetition};
use quarry_domain::administration::audit::{Actor, AuditEvent, Origin, RecordType};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::UserId;
use std::net::IpAddr;

/// Maximum number of characters of a login in the log.
const MAX_LOGGED_CHARS: usize = 60;
/// Number of characters of an API key.
const API_KEY_LENGTH: usize = 40;

/// Logs a change that an action has recorded in its transaction.
pub(super) fn log_event(user: Option<UserId>, address: IpAddr, event: &AuditEvent) {
    tracing::info!(
        target: "audit",
        {
            user.id = user.map(|user| user.0),
            client.address = %address,
            record.type = event.record.name(),
            record.id = event.id,
            record.name = event.name.as_deref(),
            record.change = event.change,
            project.identifier = event.project.as_deref(),
            record.details = event.details.as_deref()
        },
        "changed a record"
    );
}

/// Logs an API key that belongs to no active user, or malformed credentials.
pub(super) fn log_wrong_key(app: &App, address: IpAddr) {
    log_refusal("api key", "failure", address);
    record_refusal(app, Origin::ApiKey, None, address);
}

/// Logs an access token that is not accepted. If this service has issued it, it has expired or its
/// user is locked, which is no attack.
pub fn log_wrong_token(app: &App, is_issued: bool, address: IpAddr) {
    if !is_issued {
        record_refusal(app, Origin::AccessToken, None, address);
    }
    log_refusal(
        "access token",
        if is_issued { "expired" } else { "failure" },
        address,
    );
}

/// Logs a wrong token for the metrics.
pub(crate) fn log_wrong_metrics_token(address: IpAddr) {
    log_refusal("metrics token", "failure", address);
}

fn log_refusal(method: &str, outcome: &str, address: IpAddr) {
    if let ("failure", Some(kind)) = (outcome, failure_kind(method)) {
        counter!("quarry_login_failures_total", "kind" => kind).increment(1);
    }
    tracing::warn!(
        target: "audit",
        { client.address = %address, login.method = method, login.outcome = outcome },
        "a key or token was refused"
    );
}

/// Returns the label `kind` of a failure in the metrics; `None` where the limits on guesses count it.
fn failure_kind(method: &str) -> Option<&'static str> {
    match method {
        "api key" => Some("api_key"),
        "access token" => Some("access_token"),
        _ => None,
    }
}

/// Records a refused login in the audit log: the first of an address and account in an hour, the tenth,
/// and so on.
/// It names the account if it exists, and never the typed text, which may be a password. The request
/// does not wait for the write, which is dropped if many others wait.
pub fn record_refusal(app: &App, origin: Origin, user: Option<UserId>, address: IpAddr) {
    let account = user.map_or(0, |user| user.0);
    let key = format!("{} {address} {account}", origin.name());
    let (address, count) = match app.refused_logins.count(&key, app.clock.now()) {
        None => return,
        Some(Repetition::OfKey(count)) => (address.to_string(), count),
        Some(Repetition::OfOthers(count)) => ("(many)".to_owned(), count),
    };
    let event = AuditEvent::new(RecordType::Login, account, "refused");
    record_later(app, Actor::at(address, None, origin), counted(event, count));
}

/// Adds the number of repetitions to the event.
pub(crate) fn counted(event: AuditEvent, count: u64) -> AuditEvent {
    if count == 1 {
        event
    } else {
        event.with_details(format!("{count} times within an hour"))
    }
}

fn record_later(app: &App, actor: Actor, event: AuditEvent) {
    app.store.write_later(move |db| {
        db.set_actor(actor);
        db.audit(event);
        Ok(())
    });
}

/// Returns the user whose login was typed, if there is one.
pub(super) fn user_with_login(catalogue: &Catalogue, login: &str) -> Option<UserId> {
    catalogue.user_by_login(login.trim()).map(|user| user.id)
}

/// Records that an administrator acts as another user: the first time in an hour, the tenth, and so on.
pub(super) fn record_switch(
    app: &App,
    admin: UserId,
    target: UserId,
    actor: impl FnOnce() -> Result<Actor, Error>,
) -> Result<(), Error> {
    let key = format!("{admin} {target}");
    let count = match app.user_switches.count(&key, app.clock.now()) {
        None => return Ok(()),
        Some(Repetition::OfKey(count) | Repetition::OfOthers(count)) => count,
    };
    let event =
        AuditEvent::new(RecordType::Switch, target, "switched user").of_principal(target.into());
    record_later(app, actor()?, counted(event, count));
    Ok(())
}

/// Returns a login for the log: trimmed, at most 60 characters, and not a text with an API key, which
/// somebody has sent as the login.
pub(super) fn logged_login(login: &str) -> String {
    let is_key = login
        .split(|c: char| !c.is_ascii_hexdigit())
        .any(|digits| digits.len() >= API_KEY_LENGTH);
    if is_key {
        "(an API key)".to_owned()
    } else {
        login.trim().chars().take(MAX_LOGGED_CHARS).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_with_an_api_key_is_not_logged_as_a_login() {
        let key = "0123456789abcdefABCD".repeat(2);
        for login in [
            key.clone(),
            format!(" {key}\t"),
            format!("\u{a0}{key}\u{a0}"),
            format!("key={key}"),
            format!("\"{key}\","),
            format!("a{key}"),
        ] {
            assert_eq!(logged_login(&login), "(an API key)", "{login:?}");
        }
        assert_eq!(logged_login(" alice "), "alice");
        assert_eq!(logged_login(&key[1..]), key[1..]);
        assert_eq!(logged_login(&"z".repeat(99)), "z".repeat(60));
    }
}
