//! Reopens projects (compatibility 8).

use super::audit;
use super::find::find_permitted;
use crate::actions::ActionError;
use crate::domain::permission::Permission;
use crate::domain::project::ProjectStatus;
use crate::domain::viewer::Viewer;
use crate::store::{Write, projects};
use std::sync::Arc;

/// Reopens the project and its closed descendants. A project can be open below a closed one.
///
/// # Errors
/// `NotFound`; `Forbidden` without the permission, and in an archived project.
pub fn reopen(db: &mut Write<'_>, viewer: &Viewer, reference: &str) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = find_permitted(&catalogue, viewer, reference, Permission::CloseProject)?.id;
    let closed = catalogue.subtree_in(project, ProjectStatus::Closed);
    audit(db, &catalogue, &closed, "reopened");
    Ok(projects::set_statuses(db, &closed, ProjectStatus::Active)?)
}
