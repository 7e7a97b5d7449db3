//! `GET /messages/:id` (compatibility 13.2).

use super::view::{self, Replies, ViewContext};
use crate::actions::messages::find;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, messages};

/// Returns a reply, or a topic with a page of its replies, oldest first.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    message_reply(request, db, request.id_param("id")?)
}

/// Returns the message with this id.
pub(super) fn message_reply(
    request: &RequestContext,
    db: &Read<'_>,
    id: i64,
) -> Result<Reply, Error> {
    let found = find(db, request.viewer(), id)?;
    let replies = match found.message.topic {
        Some(_) => None,
        None => {
            let pagination = Pagination::from_query(&request.query);
            let total = messages::count_replies(db, id, None)?;
            let page = messages::replies(db, id, pagination.offset, pagination.limit)?;
            Some(Replies {
                page,
                total,
                pagination,
            })
        }
    };
    let context = ViewContext::load(request, db, &found, replies.as_ref())?;
    Ok(Reply::object("message", move |w| {
        view::full_message(w, &found, replies.as_ref(), &context)
    }))
}
