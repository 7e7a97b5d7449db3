//! The log of changes to accounts, users, roles and settings, for pages and API. The store has these
//! events from the transaction itself.
//! [`request::audit`](super::request::audit) logs the events of requests and actions.

use super::request::audit::counted;
use super::request::context::RequestContext;
use quarry_actions::accounts::users::RightsChange;
use quarry_actions::administration::settings::SettingChange;
use quarry_app::Repetition;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::ids::{RoleId, UserId};

/// Logs a change of what protects the account of the user of the request.
pub fn audit_account(request: &RequestContext, change: &str) {
    let user = request.viewer().user.map(|user| user.0);
    tracing::info!(target: "audit", { user.id = user, client.address = %request.address(), account.change = change }, "changed the account");
}

/// Logs changes of the rights of a user, one line each.
pub fn audit_user(
    request: &RequestContext,
    subject: UserId,
    login: &str,
    changes: &[RightsChange],
) {
    let user = request.viewer().user.map(|user| user.0);
    let address = request.address();
    for change in changes {
        tracing::info!(
            target: "audit",
            { user.id = user, client.address = %address, account.id = subject.0, account.login = login, account.change = change.name() },
            "changed a user"
        );
    }
}

/// Logs that an administrator has seen the API key of another user. Clients may ask again and again: the
/// audit log has the first time in an hour, the tenth, and so on.
pub fn audit_key_shown(request: &RequestContext, subject: UserId, login: &str) {
    let user = request.viewer().user.map(|user| user.0);
    tracing::info!(
        target: "audit",
        { user.id = user, client.address = %request.address(), account.id = subject.0, account.login = login, account.change = "api key shown" },
        "showed an API key"
    );
    let key = format!("{} {subject}", user.unwrap_or_default());
    let event = |subject| AuditEvent::new(RecordType::User, subject, "API key shown");
    let now = request.app.clock.now();
    match request.app.shown_keys.count(&key, now) {
        None => {}
        Some(Repetition::OfKey(count)) => {
            request.record(counted(event(subject.0).with_name(login), count));
        }
        Some(Repetition::OfOthers(count)) => request.record(counted(event(0), count)),
    }
}

/// Logs a change of a setting.
pub fn audit_setting(request: &RequestContext, change: &SettingChange) {
    let user = request.viewer().user.map(|user| user.0);
    let name = change.setting.name();
    let value = change.setting.loggable(&change.value);
    tracing::info!(
        target: "audit",
        { user.id = user, client.address = %request.address(), setting.name = name, setting.value = value },
        "changed a setting"
    );
}

/// Logs a change of a role, which is one of the rights of everybody who has it.
pub fn audit_role(request: &RequestContext, role: RoleId, change: &'static str) {
    let user = request.viewer().user.map(|user| user.0);
    tracing::info!(
        target: "audit",
        { user.id = user, client.address = %request.address(), role.id = role.0, role.change = change },
        "changed a role"
    );
}
