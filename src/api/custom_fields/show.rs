//! `GET /custom_fields/:id`, for administrators (compatibility 14).

use super::definition;
use crate::domain::ids::CustomFieldId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns a custom field.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    field_reply(db, request.id_param("id")?)
}

/// Returns a custom field with all fields.
pub(super) fn field_reply(db: &Read<'_>, id: CustomFieldId) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let field = catalogue
        .custom_fields
        .iter()
        .find(|field| field.id == id)
        .ok_or(Error::NotFound)?
        .clone();
    Ok(Reply::object("custom_field", move |w| {
        definition::custom_field(w, &field, &catalogue);
        definition::administration(w, &field, &catalogue);
        definition::projects(w, &field, &catalogue);
    }))
}
