//! The audit log of changes to users, which pages and API share.

use super::request::context::RequestContext;
use crate::actions::users::RightsChange;
use crate::domain::ids::UserId;

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
