//! Deletes versions (compatibility 11.8).

use super::find::find_managed;
use crate::actions::ActionError;
use crate::domain::attachment::{Container, ContainerType};
use crate::domain::custom_field::Customized;
use crate::domain::ids::VersionId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, attachments, custom_fields, versions};
use std::sync::Arc;

/// Deletes a version that nothing refers to.
///
/// # Errors
/// `NotFound`; `Forbidden` if the viewer may not manage the versions of its project; `Invalid`
/// while issues have it as target version, while it has files, and while it is the value of a
/// custom field.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: VersionId) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    find_managed(&catalogue, viewer, id)?;
    let container = Container {
        container_type: ContainerType::Version,
        id: id.0,
    };
    let use_of = if versions::is_target(db, id)? {
        Some("it is the target version of issues")
    } else if attachments::count_by_container(db, container)? > 0 {
        Some("it has files")
    } else if versions::is_custom_value(db, id)? {
        Some("it is the value of a custom field")
    } else {
        None
    };
    if let Some(use_of) = use_of {
        return Err(ActionError::Invalid(vec![format!(
            "The version cannot be deleted: {use_of}"
        )]));
    }
    custom_fields::delete_values(db, Customized::Version, id.0)?;
    Ok(versions::delete(db, id)?)
}
