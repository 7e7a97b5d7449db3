//! The activities of time tracking in one project: which of the shared ones can be selected there.
//!
//! Invariant: a project has at most one activity of its own for each shared one, and only where it
//! differs from that. May import: `domain`, `store`.

use crate::prelude::*;
use quarry_domain::administration::enumeration::{Enumeration, EnumerationKind};
use quarry_domain::ids::EnumerationId;
use quarry_store::administration::enumerations;
use std::sync::Arc;

/// Returns the shared activities, each with whether it can be selected in the project.
pub fn list(
    catalogue: &Catalogue,
    project: ProjectId,
) -> impl Iterator<Item = (&Enumeration, bool)> {
    let shared = catalogue.enumerations_of(EnumerationKind::TimeEntryActivity);
    shared.map(move |activity| {
        let own = own_activity(catalogue, project, activity.id);
        (activity, own.map_or(activity.active, |own| own.active))
    })
}

/// Returns the activity of the project that replaces a shared one.
fn own_activity(
    catalogue: &Catalogue,
    project: ProjectId,
    shared: EnumerationId,
) -> Option<&Enumeration> {
    catalogue
        .enumerations
        .iter()
        .find(|value| value.project == Some(project) && value.parent == Some(shared))
}

/// Sets which of the shared activities can be selected in the project. Time entries keep their
/// activity.
///
/// # Errors
/// `Invalid` if none would be left.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    selected: &[EnumerationId],
) -> Result<(), ActionError> {
    if !viewer.may(Permission::ManageProjectActivities, project) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    if list(&catalogue, project).all(|(activity, _)| !selected.contains(&activity.id)) {
        return Err(ActionError::invalid_attribute(
            "activity_ids",
            "Activities",
            "cannot be empty",
        ));
    }
    for (shared, is_selectable) in list(&catalogue, project) {
        let is_selected = selected.contains(&shared.id);
        if is_selected == is_selectable {
            continue;
        }
        match own_activity(&catalogue, project, shared.id) {
            Some(own) if is_selected == shared.active => {
                enumerations::reassign_in_project(db, project, own.id, shared.id)?;
                enumerations::delete(db, &[own.id])?;
            }
            Some(own) => {
                let changed = Enumeration {
                    active: is_selected,
                    ..own.clone()
                };
                enumerations::update(db, &changed)?;
            }
            None => {
                let own = Enumeration {
                    id: EnumerationId(0),
                    active: is_selected,
                    is_default: false,
                    project: Some(project),
                    parent: Some(shared.id),
                    ..shared.clone()
                };
                let id = enumerations::insert(db, &own)?;
                enumerations::reassign_in_project(db, project, shared.id, id)?;
            }
        }
    }
    Ok(())
}
