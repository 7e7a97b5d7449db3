//! Archiving a project (compatibility 8).

use super::find::for_administrator;
use crate::actions::ActionError;
use crate::domain::project::ProjectStatus;
use crate::domain::viewer::Viewer;
use crate::store::{Write, projects};
use std::sync::Arc;

/// Archives the project and everything below it: nobody sees it any more.
///
/// # Errors
/// `NotFound`; `Forbidden` for everybody but administrators; `Invalid` when issues elsewhere are planned for one of its versions.
pub fn archive(db: &mut Write<'_>, viewer: &Viewer, reference: &str) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = for_administrator(&catalogue, viewer, reference)?.id;
    let mut seen = catalogue.subtree(project);
    if projects::is_version_used_outside(db, &seen)? {
        return Err(ActionError::Invalid(vec!["This project cannot be archived".to_owned()]));
    }
    seen.retain(|id| catalogue.projects.get(id).is_some_and(|project| project.status != ProjectStatus::Archived));
    Ok(projects::set_statuses(db, &seen, ProjectStatus::Archived, None)?)
}
