//! Creates values of enumerations.

use super::EnumerationChange;
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::catalogue::{Enumeration, EnumerationKind};
use crate::domain::ids::EnumerationId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, enumerations};
use std::sync::Arc;

/// Creates a value, at the end of the list unless a position is given. Returns its id.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `Invalid` with a message for each invalid attribute.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    kind: EnumerationKind,
    change: &EnumerationChange,
) -> Result<EnumerationId, ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let position = catalogue.enumerations_of(kind).map(|value| value.position).max().unwrap_or(0) + 1;
    let (id, name) = (EnumerationId(0), String::new());
    let blank = Enumeration { id, kind, name, position, is_default: false, active: true, project: None, parent: None };
    let draft = change.apply_to(&blank);
    change.validate(&catalogue, &draft)?;
    let id = enumerations::insert(db, kind, &draft.name, position, false)?;
    change.save(db, &catalogue, &Enumeration { id, ..draft })?;
    Ok(id)
}
