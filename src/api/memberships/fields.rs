//! Parses the body of a request about a membership (compatibility 11.7).

use crate::actions::memberships::NewMemberships;
use crate::domain::ids::{PrincipalId, RoleId};
use crate::domain::patch::Patch;
use crate::http::{BodyFields, Error, RequestContext};

/// Parses the object `membership` of a new one: `user_id` or `user_ids`, of users and groups, and
/// `role_ids`.
pub fn parse_new(request: &RequestContext) -> Result<NewMemberships, Error> {
    let mut body = BodyFields::from_body(request, "membership")?;
    let list = |ids: Patch<Vec<PrincipalId>>| ids.value().cloned().unwrap_or_default();
    let mut principals = list(body.ids("user_id", "User"));
    principals.extend(list(body.ids("user_ids", "Users")));
    let roles: Patch<Vec<RoleId>> = body.ids("role_ids", "Roles");
    body.check()?;
    Ok(NewMemberships {
        principals,
        roles: roles.value().cloned().unwrap_or_default(),
    })
}

/// Parses the roles of the object `membership`; `None` without an object. An object without roles
/// asks for none.
pub fn parse_roles(request: &RequestContext) -> Result<Option<Vec<RoleId>>, Error> {
    let mut body = BodyFields::from_body(request, "membership")?;
    let roles: Patch<Vec<RoleId>> = body.ids("role_ids", "Roles");
    body.check()?;
    let is_sent = request
        .body
        .get("membership")
        .is_some_and(|fields| !fields.is_null());
    Ok(is_sent.then(|| roles.value().cloned().unwrap_or_default()))
}
