//! The audit log of changes to accounts, users, roles and settings, for pages and API.
//! [`request::audit`](super::request::audit) logs the events of requests and actions.

use super::request::context::RequestContext;
use quarry_actions::settings::SettingChange;
use quarry_actions::users::RightsChange;
use quarry_domain::administration::audit::AuditEvent;
use quarry_domain::ids::{RoleId, UserId};
use quarry_store::StoreError;
use quarry_store::administration::audit_events;

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
            { user.id = user, client.address = %address, account.id = subject.0, account.login = ?login, account.change = change.name() },
            "changed a user"
        );
        let event = AuditEvent::new("user", subject, change.name());
        // Nothing that is stored names a deleted user.
        let event = match change {
            RightsChange::Deleted => event,
            _ => event.with_name(login),
        };
        store(request, event);
    }
}

/// Stores an event that was logged, for the page of the audit log.
fn store(request: &RequestContext, event: AuditEvent) {
    let user = request.viewer().user;
    let address = request.address().to_string();
    let stored: Result<(), StoreError> = request
        .app
        .store
        .write(move |db| audit_events::insert(db, user, &address, &event));
    if let Err(error) = stored {
        tracing::warn!(error = %error, "an event of the audit log could not be stored");
    }
}

/// Logs that an administrator has seen the API key of another user.
pub fn audit_key_shown(request: &RequestContext, subject: UserId, login: &str) {
    let user = request.viewer().user.map(|user| user.0);
    tracing::info!(
        target: "audit",
        { user.id = user, client.address = %request.address(), account.id = subject.0, account.login = ?login, account.change = "api key shown" },
        "showed an API key"
    );
}

/// Logs a change of a setting.
pub fn audit_setting(request: &RequestContext, change: &SettingChange) {
    let user = request.viewer().user.map(|user| user.0);
    let name = change.setting.name();
    let value = change.setting.loggable(&change.value);
    tracing::info!(
        target: "audit",
        { user.id = user, client.address = %request.address(), setting.name = name, setting.value = ?value },
        "changed a setting"
    );
    store(
        request,
        AuditEvent::new("setting", 0, "updated")
            .with_name(name)
            .with_details(value),
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
    store(request, AuditEvent::new("role", role, change));
}
