//! `PUT /boards/:id` (compatibility 13.2).

use super::fields;
use super::show::board_reply;
use crate::actions::boards;
use crate::http::{Error, Reply, RequestContext};

/// Updates a board: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let change = fields::parse(request)?;
    request.write(move |db, viewer| boards::update(db, viewer, id, &change))?;
    request.app.read(|db| board_reply(request, db, id))
}
