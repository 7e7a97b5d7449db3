//! Unarchives projects (compatibility 8).

use super::audit;
use super::find::find_as_administrator;
use crate::actions::ActionError;
use crate::domain::project::ProjectStatus;
use crate::domain::viewer::Viewer;
use crate::store::{Write, projects};
use std::sync::Arc;

/// Unarchives the project and its archived ancestors. They become active, or closed if an ancestor
/// is closed. Does nothing if the project is not archived.
///
/// # Errors
/// `NotFound`; `Forbidden` unless the viewer is an administrator.
pub fn unarchive(db: &mut Write<'_>, viewer: &Viewer, reference: &str) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = find_as_administrator(&catalogue, viewer, reference)?;
    if project.status != ProjectStatus::Archived {
        return Ok(());
    }
    let status_of = |id| catalogue.projects.get(&id).map(|project| project.status);
    let ancestors = catalogue.ancestors(project.id);
    let closed = ancestors
        .iter()
        .any(|id| status_of(*id) == Some(ProjectStatus::Closed));
    let mut projects_to_restore = vec![project.id];
    projects_to_restore.extend(
        ancestors
            .into_iter()
            .filter(|id| status_of(*id) == Some(ProjectStatus::Archived)),
    );
    let status = if closed {
        ProjectStatus::Closed
    } else {
        ProjectStatus::Active
    };
    audit(db, &catalogue, &projects_to_restore, "unarchived");
    Ok(projects::set_statuses(db, &projects_to_restore, status)?)
}
