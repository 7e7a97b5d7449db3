//! The fields of an issue in forms: what the viewer may set, with the values that were typed or
//! that the issue has.

mod context;
mod core_fields;
mod custom_fields;

pub use context::FormContext;

use crate::web::components::form_field::FormField;
use core_fields::core_fields;
use custom_fields::custom_fields;

/// Returns all fields that the viewer may set, in their order.
pub fn fields(context: &FormContext<'_>) -> Vec<FormField> {
    let mut fields = core_fields(context);
    fields.extend(custom_fields(context));
    fields
}
