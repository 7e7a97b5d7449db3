//! `GET /documents/:id` (compatibility 13.1).

use super::view::{self, ViewContext};
use crate::actions::documents;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// Returns the document, with its files if included.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    document_reply(request, db, request.id_param("id")?)
}

/// Returns the document with this id.
pub(super) fn document_reply(
    request: &RequestContext,
    db: &Read<'_>,
    id: i64,
) -> Result<Reply, Error> {
    let document = documents::find(db, request.viewer(), id)?;
    let context = ViewContext::load(request, db, std::slice::from_ref(&document))?;
    Ok(Reply::object("document", move |w| {
        view::document(w, &document, &context)
    }))
}
