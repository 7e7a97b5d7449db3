//! `DELETE /custom_fields/:id`, for administrators (compatibility 14).

use crate::actions::custom_fields;
use crate::domain::ids::CustomFieldId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a custom field with all its values: 204.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    request.require_admin()?;
    let id: CustomFieldId = request.id_param("id")?;
    request.write(move |db, viewer| custom_fields::delete(db, viewer, id))?;
    Ok(Reply::no_content())
}
