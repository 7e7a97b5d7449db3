//! `PUT /enumerations/:name/:id`, for administrators (compatibility 14).

use super::show::enumeration_reply;
use super::{fields, names};
use crate::actions::enumerations;
use crate::domain::ids::EnumerationId;
use crate::http::{Error, Reply, RequestContext};

/// Updates a value of an enumeration: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    request.require_admin()?;
    let names = names::from_path(request)?;
    let change = fields::parse(request, names)?;
    let id: EnumerationId = request.id_param("value_id")?;
    request.write(move |db, viewer| enumerations::update(db, viewer, names.kind, id, &change))?;
    request
        .app
        .read(|db| enumeration_reply(request, db, names, id))
}
