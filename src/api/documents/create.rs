//! `POST /projects/:id/documents` (compatibility 13.1).

use super::fields;
use super::show::document_reply;
use crate::actions::documents;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Creates a document: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let (change, uploads) = fields::parse(request)?;
    let project = request.path_param("id").to_owned();
    let clock = Arc::clone(&request.app.clock);
    let id = request.write(move |db, viewer| {
        documents::create(db, viewer, &project, &change, &uploads, clock.as_ref())
    })?;
    Ok(request
        .app
        .read(|db| document_reply(request, db, id))?
        .created(format!("{}/documents/{id}", request.base_url())))
}
