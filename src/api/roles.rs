//! The resource `/roles` (compatibility 11.2 and 14).

use crate::admin_routes::{AdminResource, admin_routes};
use crate::prelude::*;
use quarry_domain::access::role::{Builtin, Role, TRACKER_PERMISSIONS};
use quarry_domain::ids::RoleId;
use quarry_domain::values::position::position_in;
use quarry_http::audit_role;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    admin_routes::<Role>(read_handler(list), read_handler(show))
}

/// `GET /roles` (compatibility 11.2).
///
/// Returns id and name of each role that can be given. Administrators may ask for all fields, and
/// get the builtin roles too.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    let roles: Vec<Role> = catalogue
        .roles
        .iter()
        .filter(|role| administration || role.builtin.is_none())
        .cloned()
        .collect();
    Ok(Reply::list(
        "roles",
        "role",
        roles,
        move |w: &mut Fields, role: Role| {
            if administration {
                write_role(w, &role);
                write_administration(w, &role, &catalogue);
            } else {
                w.field("id", role.id.0);
                w.field("name", &role.name);
            }
        },
        Vec::new(),
    ))
}

/// `GET /roles/:id` (compatibility 11.2).
///
/// Returns the role with its permissions. Administrators may ask for all fields.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    reply(
        db,
        request.id_param("id")?,
        request.includes_administration()?,
    )
}

impl AdminResource for Role {
    const PATH: &'static str = "/roles";

    fn reply(db: &Read<'_>, id: RoleId) -> Result<Reply, Error> {
        reply(db, id, true)
    }

    fn audit(request: &RequestContext, id: RoleId, change: &'static str) {
        audit_role(request, id, change);
    }
}

fn reply(db: &Read<'_>, id: RoleId, administration: bool) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let role = catalogue.role(id).ok_or(Error::NotFound)?.clone();
    Ok(Reply::object("role", move |w| {
        write_role(w, &role);
        if administration {
            write_administration(w, &role, &catalogue);
        }
    }))
}

/// Writes the fields of a role that everybody sees.
pub fn write_role(w: &mut Fields, role: &Role) {
    w.field("id", role.id.0);
    w.field("name", &role.name);
    w.field("assignable", role.assignable);
    w.field("issues_visibility", role.issues_visibility.name());
    w.field(
        "time_entries_visibility",
        role.time_entries_visibility.name(),
    );
    w.field("users_visibility", role.users_visibility.name());
    w.texts(
        "permissions",
        "permission",
        role.permission_list
            .iter()
            .map(|permission| permission.name()),
    );
}

/// Writes the further fields that administrators see.
pub fn write_administration(w: &mut Fields, role: &Role, catalogue: &Catalogue) {
    let ordinary = catalogue
        .roles
        .iter()
        .filter(|sibling| sibling.builtin.is_none());
    w.field(
        "position",
        position_in(ordinary.map(|sibling| sibling.id), role.id),
    );
    w.field("builtin", role.builtin.map(Builtin::name));
    w.field("all_roles_managed", role.managed.is_none());
    let managed = catalogue.roles.iter().filter(|other| {
        role.managed
            .as_ref()
            .is_some_and(|managed| managed.contains(&other.id))
    });
    w.references(
        "managed_roles",
        "role",
        managed.map(|managed| (managed.id.0, managed.name.as_str())),
    );
    w.nested("permissions_trackers", |w| {
        for permission in TRACKER_PERMISSIONS {
            let Some(limit) = role.tracker_limits.get(&permission) else {
                continue;
            };
            let trackers = catalogue
                .trackers
                .iter()
                .filter(|tracker| limit.contains(tracker.id));
            w.references(
                permission.name(),
                "tracker",
                trackers.map(|tracker| (tracker.id.0, tracker.name.as_str())),
            );
        }
    });
}
