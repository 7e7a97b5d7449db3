//! `GET /boards/:id/topics` (compatibility 13.2).

use super::view;
use crate::actions::boards;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, messages};
use std::sync::Arc;

/// Returns a page of the topics of a board, sticky ones first, then newest first, without their
/// contents.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let board = boards::find(db, request.viewer(), request.id_param("id")?)?;
    let pagination = Pagination::from_query(&request.query);
    let total = messages::count_topics(db, board.id)?;
    let topics = messages::topics(db, board.id, pagination.offset, pagination.limit)?;
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, topics.len());
    let describe =
        move |w: &mut _, (topic, replies)| view::topic(w, &topic, &board, replies, &catalogue);
    Ok(Reply::list("topics", "topic", topics, describe, meta))
}
