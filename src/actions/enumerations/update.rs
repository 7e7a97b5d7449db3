//! Updates values of enumerations.

use super::{EnumerationChange, customized, find};
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::catalogue::EnumerationKind;
use crate::domain::ids::EnumerationId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, custom_fields};
use std::sync::Arc;

/// Updates a value. A new default takes the place of the one before.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`; `Invalid` with a message for each
/// invalid attribute.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    kind: EnumerationKind,
    id: EnumerationId,
    change: &EnumerationChange,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let after = change.apply_to(find(&catalogue, kind, id)?);
    let before = custom_fields::find_values(db, customized(kind), id.0)?;
    let values = change.validate(&catalogue, &after, &before, false)?;
    Ok(change.save(db, &catalogue, &after, &values)?)
}
