//! `GET /enumerations/:name/:id`, for administrators (compatibility 14).

use super::names::{self, Names};
use super::view::{self, ViewContext};
use crate::actions::enumerations::find;
use crate::domain::ids::EnumerationId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// Returns a value of an enumeration.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    enumeration_reply(
        request,
        db,
        names::from_path(request)?,
        request.id_param("value_id")?,
    )
}

/// Returns a value with all fields.
pub(super) fn enumeration_reply(
    request: &RequestContext,
    db: &Read<'_>,
    names: Names,
    id: EnumerationId,
) -> Result<Reply, Error> {
    let value = find(db.catalogue(), names.kind, id)?.clone();
    let context = ViewContext::load(request, db, names)?;
    Ok(Reply::object(names.item, move |w| {
        view::enumeration(w, &value, &context);
        view::administration(w, &value, &context);
    }))
}
