//! Bringing a project back from the archive (compatibility 8).

use super::find::for_administrator;
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::project::ProjectStatus;
use crate::domain::viewer::Viewer;
use crate::store::{Write, projects};
use std::sync::Arc;

/// Brings the project and the archived ones above it back: active, or closed where one above is. What is below stays where it is.
/// A project that is not archived stays as it is.
///
/// # Errors
/// `NotFound`; `Forbidden` for everybody but administrators.
pub fn unarchive(db: &mut Write<'_>, viewer: &Viewer, reference: &str, clock: &dyn Clock) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = for_administrator(&catalogue, viewer, reference)?;
    if project.status != ProjectStatus::Archived {
        return Ok(());
    }
    let state = |id| catalogue.projects.get(&id).map(|project| project.status);
    let above = catalogue.ancestors(project.id);
    let closed = above.iter().any(|id| state(*id) == Some(ProjectStatus::Closed));
    let mut back = vec![project.id];
    back.extend(above.into_iter().filter(|id| state(*id) == Some(ProjectStatus::Archived)));
    let status = if closed { ProjectStatus::Closed } else { ProjectStatus::Active };
    Ok(projects::set_statuses(db, &back, status, Some(clock.now()))?)
}
