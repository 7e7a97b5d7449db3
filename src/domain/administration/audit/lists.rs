//! Values of records that are lists of names, such as the permissions of a role.

use super::names::{project_name, role_name, tracker_name};
use crate::access::role::Role;
use crate::accounts::group::Group;
use crate::administration::custom_field::CustomField;
use crate::administration::tracker::{CORE_FIELDS, Tracker};
use crate::catalogue::Catalogue;
use crate::ids::TrackerId;
use crate::projects::project::Project;
use std::collections::BTreeSet;

/// Fields with the names in them.
pub type Lists = Vec<(&'static str, Vec<String>)>;

fn sorted(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let sorted: BTreeSet<String> = names.into_iter().collect();
    sorted.into_iter().collect()
}

/// Users are named by their ids, because they may be deleted later.
pub(super) fn of_group(group: &Group) -> Lists {
    let mut users: Vec<i64> = group.users.iter().map(|user| user.0).collect();
    users.sort_unstable();
    let names = users.into_iter().map(|id| format!("user {id}"));
    vec![("users", names.collect())]
}

pub(super) fn of_role(role: &Role, catalogue: &Catalogue) -> Lists {
    let managed = role.managed.iter().flatten();
    let limits = role
        .tracker_limits
        .iter()
        .flat_map(|(permission, trackers)| {
            let permission = permission.name();
            let trackers = trackers.as_slice().iter();
            let names = trackers.map(|id| tracker_name(catalogue, TrackerId(*id)));
            let limits = names.map(move |name| format!("{permission} on {name}"));
            // A limit to no tracker is one, too.
            std::iter::once(permission.to_owned()).chain(limits)
        });
    let permissions = role.permissions.iter();
    vec![
        (
            "permissions",
            sorted(permissions.map(|item| item.name().to_owned())),
        ),
        (
            "manages",
            sorted(managed.map(|id| role_name(catalogue, *id))),
        ),
        ("limited to trackers", sorted(limits)),
    ]
}

pub(super) fn of_project(project: &Project, catalogue: &Catalogue) -> Lists {
    let modules = project.modules.iter();
    let trackers = project.trackers.iter();
    vec![
        (
            "modules",
            sorted(modules.map(|item| item.name().to_owned())),
        ),
        (
            "trackers",
            trackers.map(|id| tracker_name(catalogue, *id)).collect(),
        ),
    ]
}

pub(super) fn of_tracker(tracker: &Tracker) -> Lists {
    let disabled = CORE_FIELDS.into_iter().filter(|field| !tracker.has(field));
    vec![("disabled fields", disabled.map(str::to_owned).collect())]
}

pub(super) fn of_custom_field(field: &CustomField, catalogue: &Catalogue) -> Lists {
    let values = field.enumeration.iter();
    let names = values.clone().map(|(_, name, _)| name.clone());
    let possible_values = field.possible_values.iter().cloned().chain(names);
    let inactive = values.filter(|(_, _, is_active)| !is_active);
    let inactive_names = inactive.map(|(_, name, _)| name.clone());
    let trackers = field.trackers.iter();
    let projects = field.projects.iter();
    let roles = field.roles.iter();
    vec![
        ("possible values", possible_values.collect()),
        ("values that cannot be selected", inactive_names.collect()),
        (
            "trackers",
            sorted(trackers.map(|id| tracker_name(catalogue, *id))),
        ),
        (
            "projects",
            sorted(projects.map(|id| project_name(catalogue, *id))),
        ),
        ("roles", sorted(roles.map(|id| role_name(catalogue, *id)))),
    ]
}
