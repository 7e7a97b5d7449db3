//! `PUT /documents/:id` (compatibility 13.1).

use super::fields;
use super::show::document_reply;
use crate::actions::documents;
use crate::http::{Error, Reply, RequestContext};

/// Updates a document: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let (change, uploads) = fields::parse(request)?;
    request.write(move |db, viewer| documents::update(db, viewer, id, &change, &uploads))?;
    request.app.read(|db| document_reply(request, db, id))
}
