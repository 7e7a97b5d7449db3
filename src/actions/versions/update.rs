//! Updates versions (compatibility 11.8).

use super::change::{Draft, VersionChange};
use super::find::find_managed;
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::custom_field::Customized;
use crate::domain::ids::VersionId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, custom_fields, projects, versions};
use std::sync::Arc;

/// Updates a version. Issues of projects with which it is no longer shared lose it as target
/// version.
///
/// # Errors
/// `NotFound`; `Forbidden` if the viewer may not manage the versions of its project; `Invalid` with
/// the sentences of compatibility 11.8.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: VersionId,
    change: &VersionChange,
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let version = find_managed(&catalogue, viewer, id)?;
    let details = versions::details(db, &[id])?
        .remove(&id)
        .ok_or(ActionError::NotFound)?;
    let before = Draft {
        version: version.clone(),
        details,
        values: custom_fields::find_values(db, Customized::Version, id.0)?,
    };
    let mut after = change.apply_to(&catalogue, viewer, &before, false)?;
    if (&after.version, &after.details, &after.values)
        != (&before.version, &before.details, &before.values)
    {
        after.details.updated_on = clock.now();
        versions::update(db, &after.version, &after.details)?;
        custom_fields::update(db, Customized::Version, id.0, &after.values)?;
    }
    if after.version.sharing != before.version.sharing {
        let mut changed = (*catalogue).clone();
        changed.versions.insert(id, after.version);
        projects::detach_versions(db, &changed)?;
    }
    let is_default = catalogue
        .projects
        .get(&version.project)
        .is_some_and(|project| project.default_version == Some(id));
    match change.is_default {
        Some(true) if !is_default => versions::set_default(db, version.project, Some(id))?,
        Some(false) if is_default => versions::set_default(db, version.project, None)?,
        _ => {}
    }
    Ok(())
}
