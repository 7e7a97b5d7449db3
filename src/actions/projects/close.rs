//! Closes projects (compatibility 8).

use super::audit;
use super::find::find_permitted;
use crate::actions::ActionError;
use crate::domain::permission::Permission;
use crate::domain::project::ProjectStatus;
use crate::domain::viewer::Viewer;
use crate::store::{Write, projects};
use std::sync::Arc;

/// Closes the project and its active descendants, which makes them read-only.
///
/// # Errors
/// `NotFound`; `Forbidden` without the permission, and in an archived project.
pub fn close(db: &mut Write<'_>, viewer: &Viewer, reference: &str) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = find_permitted(&catalogue, viewer, reference, Permission::CloseProject)?.id;
    let active = catalogue.subtree_in(project, ProjectStatus::Active);
    audit(db, &catalogue, &active, "closed");
    Ok(projects::set_statuses(db, &active, ProjectStatus::Closed)?)
}
