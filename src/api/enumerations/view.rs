//! JSON and XML of values of enumerations (compatibility 11.3 and 14).

use crate::domain::catalogue::Enumeration;
use crate::wire::Fields;

/// Writes the fields of a value; with `administration` those that only administrators see.
pub fn enumeration(w: &mut Fields, value: &Enumeration, administration: bool) {
    w.field("id", value.id.0);
    w.field("name", &value.name);
    w.field("is_default", value.is_default);
    w.field("active", value.active);
    if administration {
        w.field("position", value.position);
    }
}
