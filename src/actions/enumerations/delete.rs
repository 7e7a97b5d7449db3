//! Deletes values of enumerations.

use super::find;
use crate::actions::ActionError;
use crate::actions::administration::{invalid, require_admin};
use crate::domain::catalogue::EnumerationKind;
use crate::domain::ids::EnumerationId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, enumerations};
use std::sync::Arc;

/// Deletes a value, with what projects have in its place. Their records get the value
/// `reassign_to`.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`; `Invalid` if `reassign_to` is not
/// another value of the same enumeration, and without it while records have the value.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    kind: EnumerationKind,
    id: EnumerationId,
    reassign_to: Option<EnumerationId>,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    find(&catalogue, kind, id)?;
    let values: Vec<EnumerationId> = catalogue.replacements(id).collect();
    match reassign_to {
        Some(target) if target == id || find(&catalogue, kind, target).is_err() => {
            return invalid("Reassign to is invalid");
        }
        Some(target) => enumerations::reassign(db, kind, &values, target)?,
        None if enumerations::is_used(db, kind, &values)? => {
            return invalid(
                "The value is in use and cannot be deleted; name the one that its records get in reassign_to_id",
            );
        }
        None => {}
    }
    Ok(enumerations::delete(db, &values)?)
}
