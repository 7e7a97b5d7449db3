//! The audit log of changes to users, roles and settings, which pages and API share.

use super::request::context::RequestContext;
use crate::actions::settings::SettingChange;
use crate::actions::users::RightsChange;
use crate::domain::ids::{RoleId, UserId};

/// Logs changes of the rights of a user, one line each.
pub fn audit_user(request: &RequestContext, subject: UserId, login: &str, changes: &[RightsChange]) {
    let (user, address) = (request.viewer().user.map(|user| user.0), request.address());
    for change in changes {
        tracing::info!(
            target: "audit",
            { user.id = user, client.address = %address, account.id = subject.0, account.login = ?login, account.change = change.name() },
            "changed a user"
        );
    }
}

/// Logs a change of a setting.
pub fn audit_setting(request: &RequestContext, change: &SettingChange) {
    let user = request.viewer().user.map(|user| user.0);
    let (name, value) = (change.setting.name(), &change.value);
    tracing::info!(
        target: "audit",
        { user.id = user, client.address = %request.address(), setting.name = name, setting.value = ?value },
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
