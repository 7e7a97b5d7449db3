//! Creates versions (compatibility 11.8).

use super::change::{Draft, VersionChange};
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::{ProjectId, VersionId};
use crate::domain::permission::Permission;
use crate::domain::version::{Sharing, Version, VersionDetails};
use crate::domain::viewer::Viewer;
use crate::store::{Write, custom_fields, versions};
use std::sync::Arc;

/// Creates a version of the project, and returns its id.
///
/// # Errors
/// `Forbidden` if the viewer may not manage the versions of the project; `Invalid` with the
/// sentences of compatibility 11.8.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    change: &VersionChange,
    clock: &dyn Clock,
) -> Result<VersionId, ActionError> {
    if !viewer.may(Permission::ManageVersions, project) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let now = clock.now();
    let blank = Draft {
        version: Version {
            id: VersionId(0),
            project,
            name: String::new(),
            status: "open".to_owned(),
            sharing: Sharing::None,
            due_date: None,
        },
        details: VersionDetails {
            description: Some(String::new()),
            wiki_page_title: None,
            created_on: now,
            updated_on: now,
        },
        values: Values::defaults(catalogue.custom_fields_of(Customized::Version)),
    };
    let draft = change.apply_to(&catalogue, viewer, &blank, true)?;
    let id = versions::insert_with_details(db, &draft.version, &draft.details)?;
    custom_fields::update(db, Customized::Version, id.0, &draft.values)?;
    if change.is_default == Some(true) {
        versions::set_default(db, project, Some(id))?;
    }
    Ok(id)
}
