//! JSON and XML of roles (compatibility 11.2 and 14).

use crate::domain::catalogue::Catalogue;
use crate::domain::position::position_in;
use crate::domain::role::{Builtin, Role, TRACKER_PERMISSIONS};
use crate::wire::Fields;

/// Writes the fields of a role that everybody sees.
pub fn role(w: &mut Fields, role: &Role) {
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
pub fn administration(w: &mut Fields, role: &Role, catalogue: &Catalogue) {
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
