//! Finds values of an enumeration.

use crate::actions::ActionError;
use crate::domain::catalogue::{Catalogue, Enumeration, EnumerationKind};
use crate::domain::ids::EnumerationId;

/// Returns a value of an enumeration that all projects share.
///
/// # Errors
/// `NotFound` if there is none, also for an activity that one project has in its place.
pub fn find(
    catalogue: &Catalogue,
    kind: EnumerationKind,
    id: EnumerationId,
) -> Result<&Enumeration, ActionError> {
    catalogue
        .enumerations_of(kind)
        .find(|value| value.id == id)
        .ok_or(ActionError::NotFound)
}
