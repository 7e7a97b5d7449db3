//! `PUT /custom_fields/:id`, for administrators (compatibility 14).

use super::fields;
use super::show::field_reply;
use crate::actions::custom_fields;
use crate::domain::ids::CustomFieldId;
use crate::http::{Error, Reply, RequestContext};

/// Updates a custom field: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let id: CustomFieldId = request.id_param("id")?;
    request.write(move |db, viewer| custom_fields::update(db, viewer, id, &change))?;
    request.app.read(|db| field_reply(db, id))
}
