//! `DELETE /enumerations/:name/:id`, for administrators (compatibility 14).

use super::names;
use crate::actions::enumerations;
use crate::domain::ids::EnumerationId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a value of an enumeration: 204. `reassign_to_id` is the value that its records get;
/// without it, a value in use is 422.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    request.require_admin()?;
    let names = names::from_path(request)?;
    let id: EnumerationId = request.id_param("value_id")?;
    let reassign_to = request
        .query_param("reassign_to_id")
        .filter(|text| !text.trim().is_empty());
    let reassign_to = reassign_to.map(|text| EnumerationId(text.trim().parse().unwrap_or(0)));
    request
        .write(move |db, viewer| enumerations::delete(db, viewer, names.kind, id, reassign_to))?;
    Ok(Reply::no_content())
}
