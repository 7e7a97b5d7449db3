//! The fields of a role in a request (compatibility 14).

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::administration::roles::RoleChange;
use quarry_domain::ids::TrackerId;
use quarry_wire::Input;

impl FromBody for RoleChange {
    const OBJECT: &'static str = "role";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        let tracker_limits = match body.raw("permissions_tracker_ids") {
            None => None,
            Some(limits) if limits.is_blank() => Some(Vec::new()),
            Some(limits) => Some(parse_limits(limits)?),
        };
        Ok(RoleChange {
            name: body.text("name", "Name"),
            position: body.integer("position", "Position"),
            assignable: body.boolean("assignable", "Assignable"),
            permissions: body.texts("permissions", "Permissions"),
            issues_visibility: body.text("issues_visibility", "Issues visibility"),
            time_entries_visibility: body
                .text("time_entries_visibility", "Time entries visibility"),
            users_visibility: body.text("users_visibility", "Users visibility"),
            all_roles_managed: body.boolean("all_roles_managed", "All roles managed"),
            managed_roles: body.ids("managed_role_ids", "Managed roles"),
            tracker_limits,
        })
    }
}

/// Parses an object with the ids of trackers by permission.
fn parse_limits(limits: &Input) -> Result<Vec<(String, Vec<TrackerId>)>, Error> {
    let Some(mut fields) = BodyFields::from_object(limits) else {
        return Err(Error::invalid_attribute(
            "permissions_tracker_ids",
            "Permissions tracker ids",
            "is invalid (an object with lists of ids is expected)",
        ));
    };
    let mut parsed = Vec::new();
    for (name, _) in limits.entries() {
        let trackers = fields.ids(name, &format!("Permissions tracker ids of {name}"));
        parsed.push((name.clone(), trackers.value().cloned().unwrap_or_default()));
    }
    fields.check()?;
    Ok(parsed)
}
