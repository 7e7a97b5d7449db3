//! `GET /custom_fields`, for administrators (compatibility 11.3).

use super::definition;
use crate::domain::custom_field::CustomField;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;
use std::sync::Arc;

/// Returns the definitions of all custom fields, by id.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    let mut fields: Vec<CustomField> = catalogue.custom_fields.clone();
    fields.sort_by_key(|field| field.id);
    let describe = move |w: &mut Fields, field: CustomField| {
        definition::custom_field(w, &field, &catalogue);
        if administration {
            definition::administration(w, &field, &catalogue);
        }
    };
    Ok(Reply::list(
        "custom_fields",
        "custom_field",
        fields,
        describe,
        Vec::new(),
    ))
}
