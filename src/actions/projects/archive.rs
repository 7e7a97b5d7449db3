//! Archives projects (compatibility 8).

use super::audit;
use super::find::find_as_administrator;
use crate::actions::ActionError;
use crate::domain::project::ProjectStatus;
use crate::domain::viewer::Viewer;
use crate::store::{Write, projects};
use std::sync::Arc;

/// Archives the project and its descendants, which hides them from everybody.
///
/// # Errors
/// `NotFound`; `Forbidden` unless the viewer is an administrator; `Invalid` if issues of other
/// projects have one of its versions.
pub fn archive(db: &mut Write<'_>, viewer: &Viewer, reference: &str) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = find_as_administrator(&catalogue, viewer, reference)?.id;
    let mut projects_to_archive = catalogue.subtree(project);
    if projects::is_version_used_outside(db, &projects_to_archive)? {
        return Err(ActionError::Invalid(vec![
            "This project cannot be archived".to_owned(),
        ]));
    }
    projects_to_archive.retain(|id| {
        catalogue
            .projects
            .get(id)
            .is_some_and(|project| project.status != ProjectStatus::Archived)
    });
    audit(db, &catalogue, &projects_to_archive, "archived");
    Ok(projects::set_statuses(
        db,
        &projects_to_archive,
        ProjectStatus::Archived,
    )?)
}
