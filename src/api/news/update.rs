//! `PUT /news/:id` (compatibility 11.5).

use super::fields;
use super::show::news_reply;
use crate::actions::news;
use crate::http::{Error, Reply, RequestContext};

/// Updates a news item and attaches files: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let (change, uploads) = fields::parse(request)?;
    request.write(move |db, viewer| news::update(db, viewer, id, &change, &uploads))?;
    request.app.read(|db| news_reply(request, db, id))
}
