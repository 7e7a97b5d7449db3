//! `POST /enumerations/:name`, for administrators (compatibility 14).

use super::show::enumeration_reply;
use super::{fields, names};
use crate::actions::enumerations;
use crate::http::{Error, Reply, RequestContext};

/// Creates a value of an enumeration: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    request.require_admin()?;
    let names = names::from_path(request)?;
    let change = fields::parse(request, names)?;
    let id =
        request.write(move |db, viewer| enumerations::create(db, viewer, names.kind, &change))?;
    let reply = request
        .app
        .read(|db| enumeration_reply(request, db, names, id))?;
    Ok(reply.created(format!(
        "{}/enumerations/{}/{id}",
        request.base_url(),
        names.list
    )))
}
