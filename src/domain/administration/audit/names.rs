//! Names of related records, for values of the audit log; ids where a record is gone.

use crate::catalogue::Catalogue;
use crate::ids::{ProjectId, RoleId, StatusId, TrackerId};

/// Returns the name of a role.
pub(super) fn role_name(catalogue: &Catalogue, id: RoleId) -> String {
    let role = catalogue.role(id);
    role.map_or_else(|| format!("role {id}"), |role| role.name.clone())
}

pub(super) fn status_name(catalogue: &Catalogue, id: StatusId) -> String {
    let status = catalogue.status(id);
    status.map_or_else(|| format!("status {id}"), |status| status.name.clone())
}

pub(super) fn tracker_name(catalogue: &Catalogue, id: TrackerId) -> String {
    let tracker = catalogue.tracker(id);
    tracker.map_or_else(|| format!("tracker {id}"), |tracker| tracker.name.clone())
}

pub(super) fn project_name(catalogue: &Catalogue, id: ProjectId) -> String {
    let project = catalogue.projects.get(&id);
    project.map_or_else(
        || format!("project {id}"),
        |project| project.identifier.clone(),
    )
}
