//! Creates values of enumerations.

use super::{EnumerationChange, customized};
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::catalogue::{Enumeration, EnumerationKind};
use crate::domain::custom_field::Values;
use crate::domain::ids::EnumerationId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, enumerations};
use std::sync::Arc;

/// Creates a value, at the end of the list unless a position is given. Returns its id.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `Invalid` with a message for each invalid
/// attribute.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    kind: EnumerationKind,
    change: &EnumerationChange,
) -> Result<EnumerationId, ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let position = catalogue
        .enumerations_of(kind)
        .map(|value| value.position)
        .max()
        .unwrap_or(0)
        + 1;
    let id = EnumerationId(0);
    let name = String::new();
    let blank = Enumeration {
        id,
        kind,
        name,
        position,
        is_default: false,
        active: true,
        project: None,
        parent: None,
    };
    let draft = change.apply_to(&blank);
    let defaults = Values::defaults(catalogue.custom_fields_of(customized(kind)));
    let values = change.validate(&catalogue, &draft, &defaults, true)?;
    let id = enumerations::insert(db, kind, &draft.name, position, false)?;
    change.save(db, &catalogue, &Enumeration { id, ..draft }, &values)?;
    Ok(id)
}
