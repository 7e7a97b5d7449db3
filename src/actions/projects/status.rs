//! Archives, unarchives, closes and reopens projects (compatibility 8).

use super::audit;
use super::find::{find_as_administrator, find_permitted};
use crate::prelude::*;
use quarry_domain::projects::project::ProjectStatus;
use quarry_store::projects;
use quarry_store::projects::versions;
use std::sync::Arc;

/// Archives the project and its descendants, which hides them from everybody.
///
/// # Errors
/// `Invalid` if issues of other projects have one of its versions.
pub fn archive(db: &mut Write<'_>, viewer: &Viewer, reference: &str) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = find_as_administrator(&catalogue, viewer, reference)?.id;
    let mut projects_to_archive = catalogue.subtree(project);
    if versions::is_used_outside(db, &projects_to_archive)? {
        return Err(ActionError::invalid("This project cannot be archived"));
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

/// Unarchives the project and its archived ancestors. They become active, or closed if an ancestor
/// is closed. Does nothing if the project is not archived.
pub fn unarchive(db: &mut Write<'_>, viewer: &Viewer, reference: &str) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = find_as_administrator(&catalogue, viewer, reference)?;
    if project.status != ProjectStatus::Archived {
        return Ok(());
    }
    let ancestors = catalogue.ancestors(project.id);
    let closed = ancestors
        .iter()
        .any(|id| status_of(&catalogue, *id) == Some(ProjectStatus::Closed));
    let mut projects_to_restore = vec![project.id];
    projects_to_restore.extend(
        ancestors
            .into_iter()
            .filter(|id| status_of(&catalogue, *id) == Some(ProjectStatus::Archived)),
    );
    let status = if closed {
        ProjectStatus::Closed
    } else {
        ProjectStatus::Active
    };
    audit(db, &catalogue, &projects_to_restore, "unarchived");
    Ok(projects::set_statuses(db, &projects_to_restore, status)?)
}

fn status_of(catalogue: &Catalogue, id: ProjectId) -> Option<ProjectStatus> {
    catalogue.projects.get(&id).map(|project| project.status)
}

/// Closes the project and its active descendants, which makes them read-only.
///
/// # Errors
/// `Forbidden` without the permission, and in an archived project.
pub fn close(db: &mut Write<'_>, viewer: &Viewer, reference: &str) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = find_permitted(&catalogue, viewer, reference, Permission::CloseProject)?.id;
    let active = catalogue.subtree_in(project, ProjectStatus::Active);
    audit(db, &catalogue, &active, "closed");
    Ok(projects::set_statuses(db, &active, ProjectStatus::Closed)?)
}

/// Reopens the project and its closed descendants. A project can be open below a closed one.
///
/// # Errors
/// `Forbidden` without the permission, and in an archived project.
pub fn reopen(db: &mut Write<'_>, viewer: &Viewer, reference: &str) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = find_permitted(&catalogue, viewer, reference, Permission::CloseProject)?.id;
    let closed = catalogue.subtree_in(project, ProjectStatus::Closed);
    audit(db, &catalogue, &closed, "reopened");
    Ok(projects::set_statuses(db, &closed, ProjectStatus::Active)?)
}
