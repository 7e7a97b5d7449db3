//! Changing a project (compatibility 8).

use super::find::permitted;
use super::rules::{self, May};
use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::Clock;
use crate::domain::custom_field::Customized;
use crate::domain::ids::ProjectId;
use crate::domain::permission::Permission;
use crate::domain::project::{Project, ProjectChange};
use crate::domain::viewer::Viewer;
use crate::store::{StoreError, Write, custom_fields, projects};
use std::sync::Arc;

/// Updates what the viewer may change; returns the id of the project. A request that changes nothing leaves no
/// trace (compatibility 2.2).
///
/// # Errors
/// `NotFound`, also when a tracker or custom field is not there; `Forbidden` without the permission, and in a project that is
/// closed or archived; `Invalid` with the sentences of compatibility 8.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    reference: &str,
    change: &ProjectChange,
    clock: &dyn Clock,
) -> Result<ProjectId, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = permitted(&catalogue, viewer, reference, Permission::EditProject)?;
    let may = May {
        publicity: viewer.may(Permission::SelectProjectPublicity, before.id),
        modules: viewer.may(Permission::SelectProjectModules, before.id),
    };
    let mut after = rules::applied(&catalogue, viewer, before, change, &may)?;
    let issue_fields = rules::issue_fields(&catalogue, viewer, before.id, &change.issue_fields)?;
    let old = custom_fields::find_values(db, Customized::Project, before.id.0)?;
    let mut values = old.clone();
    let fields = rules::fields(&catalogue, viewer, before.id, None);
    values.apply(&fields, &change.values);

    let mut errors = after.validate(None);
    rules::validate(&catalogue, viewer, (before, &after), change, &mut errors);
    if values != old {
        rules::validate_values(&catalogue, before.id, &fields, (Some(&old), &values), &mut errors);
    }
    errors.into_result().map_err(ActionError::Invalid)?;

    if after == *before && values == old && issue_fields.is_none() {
        return Ok(before.id);
    }
    after.updated_on = clock.now();
    projects::update(db, &after)?;
    custom_fields::update(db, Customized::Project, before.id.0, &values)?;
    if after.modules != before.modules {
        projects::set_modules(db, before.id, after.modules)?;
    }
    if after.trackers != before.trackers {
        projects::set_trackers(db, before.id, &after.trackers)?;
    }
    if let Some(fields) = issue_fields {
        projects::set_issue_fields(db, before.id, &fields)?;
    }
    if after.parent != before.parent {
        moved(db, &catalogue, &after)?;
    }
    Ok(before.id)
}

/// In another place of the tree other versions are shared.
fn moved(db: &mut Write<'_>, catalogue: &Catalogue, after: &Project) -> Result<(), StoreError> {
    let mut tree = catalogue.clone();
    tree.projects.insert(after.id, after.clone());
    projects::detach_versions(db, &tree)
}
