//! `POST /projects/:id/boards` (compatibility 13.2).

use super::fields;
use super::show::board_reply;
use crate::actions::boards;
use crate::http::{Error, Reply, RequestContext};

/// Creates a board: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request.path_param("id").to_owned();
    let change = fields::parse(request)?;
    let id = request.write(move |db, viewer| boards::create(db, viewer, &project, &change))?;
    Ok(request
        .app
        .read(|db| board_reply(request, db, id))?
        .created(format!("{}/boards/{id}", request.base_url())))
}
