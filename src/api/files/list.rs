//! `GET /projects/:id/files` (compatibility 11.9).

use super::view;
use crate::actions::files;
use crate::domain::attachment::Attachment;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns the files of a project and of its versions, to users who may see them.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = catalogue
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let files = files::list(db, request.viewer(), project)?;
    let base = request.base_url();
    let describe = move |w: &mut _, file: Attachment| view::file(w, &file, &catalogue, &base);
    Ok(Reply::list("files", "file", files, describe, Vec::new()))
}
