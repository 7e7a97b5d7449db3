//! The audit log of events before and after the handler of a request: refused keys, and changes
//! that actions have recorded.
//!
//! Names are logged as strings, in which both formats of the log escape line breaks and control
//! characters.

use quarry_domain::administration::audit::AuditEvent;
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
            record.type = event.record,
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
pub(super) fn log_wrong_key(address: IpAddr) {
    log_refusal("api key", "failure", address);
}

/// Logs an access token that is not accepted. If this service has issued it, it has expired or its
/// user is locked, which is no attack.
pub fn log_wrong_token(is_issued: bool, address: IpAddr) {
    log_refusal(
        "access token",
        if is_issued { "expired" } else { "failure" },
        address,
    );
}

fn log_refusal(method: &str, outcome: &str, address: IpAddr) {
    tracing::warn!(
        target: "audit",
        { client.address = %address, login.method = method, login.outcome = outcome },
        "a key or token was refused"
    );
}

/// Returns a login for the log: at most 60 characters, and not an API key that was sent as the
/// login.
pub(super) fn logged_login(login: &str) -> String {
    let is_key =
        login.len() == API_KEY_LENGTH && login.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_key {
        "(an API key)".to_owned()
    } else {
        login.chars().take(MAX_LOGGED_CHARS).collect()
    }
}
