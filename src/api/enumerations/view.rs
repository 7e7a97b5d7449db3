//! JSON and XML of values of enumerations (compatibility 11.3 and 14).

use crate::domain::catalogue::{Catalogue, Enumeration};
use crate::domain::position::position_in;
use crate::wire::Fields;

/// Writes the fields of a value that everybody sees.
pub fn enumeration(w: &mut Fields, value: &Enumeration) {
    w.field("id", value.id.0);
    w.field("name", &value.name);
    w.field("is_default", value.is_default);
    w.field("active", value.active);
}

/// Writes the further fields that administrators see.
pub fn administration(w: &mut Fields, value: &Enumeration, catalogue: &Catalogue) {
    w.field("position", position_in(catalogue.enumerations_of(value.kind).map(|sibling| sibling.id), value.id));
}
