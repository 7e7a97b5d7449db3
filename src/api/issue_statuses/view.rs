//! JSON and XML of issue statuses (compatibility 11.3 and 14).

use crate::domain::catalogue::Status;
use crate::wire::Fields;

/// Writes the fields of a status; with `administration` those that only administrators see.
pub fn status(w: &mut Fields, status: &Status, administration: bool) {
    w.field("id", status.id.0);
    w.field("name", &status.name);
    w.field("is_closed", status.is_closed);
    if administration {
        w.field("default_done_ratio", status.default_done_ratio);
        w.field("position", status.position);
    }
}
