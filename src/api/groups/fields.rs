//! Parses the body of a request about a group, and logs whose rights it has changed (compatibility
//! 11.2).

use crate::actions::groups::GroupChange;
use crate::actions::users::RightsChange;
use crate::domain::ids::UserId;
use crate::domain::patch::Patch;
use crate::http::{BodyFields, Error, RequestContext, audit_user};

/// Parses the object `group`, for administrators.
///
/// # Errors
/// 403 for other users; 422 for a value of the wrong type.
pub fn parse(request: &RequestContext) -> Result<GroupChange, Error> {
    request.require_admin()?;
    let mut body = BodyFields::from_body(request, "group")?;
    let change = GroupChange {
        name: body.text("name", "Name"),
        users: match body.ids("user_ids", "Users") {
            Patch::Unset => None,
            Patch::Clear => Some(Vec::new()),
            Patch::Set(users) => Some(users),
        },
        requires_second_factor: body
            .boolean("twofa_required", "Two-factor authentication")
            .value()
            .copied(),
        custom: body.custom_fields(),
    };
    body.check()?;
    Ok(change)
}

/// Logs that the groups of these users have changed.
pub fn audit(request: &RequestContext, users: &[UserId]) -> Result<(), Error> {
    let catalogue = request.app.store.catalogue()?;
    for user in users.iter().filter_map(|id| catalogue.users.get(id)) {
        audit_user(request, user.id, &user.login, &[RightsChange::Groups]);
    }
    Ok(())
}
