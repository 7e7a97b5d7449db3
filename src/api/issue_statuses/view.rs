//! JSON and XML of issue statuses (compatibility 11.3 and 14).

use crate::domain::catalogue::{Catalogue, Status};
use crate::domain::position::position_in;
use crate::wire::Fields;

/// Writes the fields of a status that everybody sees.
pub fn status(w: &mut Fields, status: &Status) {
    w.field("id", status.id.0);
    w.field("name", &status.name);
    w.field("is_closed", status.is_closed);
    w.field("description", status.description.as_deref());
}

/// Writes the further fields that administrators see.
pub fn administration(w: &mut Fields, status: &Status, catalogue: &Catalogue) {
    w.field("default_done_ratio", status.default_done_ratio);
    w.field(
        "position",
        position_in(
            catalogue.statuses.iter().map(|sibling| sibling.id),
            status.id,
        ),
    );
}
