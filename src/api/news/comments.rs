//! `GET` and `POST /news/:id/comments`, `DELETE /news/:id/comments/:comment_id` (compatibility
//! 11.5).

use super::show::find_visible;
use super::view;
use crate::actions::news;
use crate::domain::ids::CommentId;
use crate::http::{BodyFields, Error, Pagination, Reply, RequestContext};
use crate::store::comments::Comment;
use crate::store::{Read, comments};
use crate::wire::Fields;
use std::sync::Arc;

/// Returns a page of the comments on a news item, oldest first.
pub fn list_comments(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let item = find_visible(request, db, request.id_param("id")?)?;
    let pagination = Pagination::from_query(&request.query);
    let page = comments::list(db, item.id, pagination.offset, pagination.limit)?;
    let meta = pagination.meta(comments::count(db, item.id)?, page.len());
    let catalogue = Arc::clone(db.catalogue());
    let describe = move |w: &mut Fields, comment: Comment| view::comment(w, &comment, &catalogue);
    Ok(Reply::list("comments", "comment", page, describe, meta))
}

/// Adds a comment to a news item: 201 with it and the URL of the news item. In Redmine's form
/// `content` is called `comments`.
pub fn create_comment(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let mut body = BodyFields::from_body(request, "comment")?;
    let content = body.text("content", "Comment");
    let form_content = body.text("comments", "Comment");
    body.check()?;
    let text = content
        .value()
        .or(form_content.value())
        .cloned()
        .unwrap_or_default();
    let clock = Arc::clone(&request.app.clock);
    let comment_id = request
        .write(move |db, viewer| news::create_comment(db, viewer, id, &text, clock.as_ref()))?;
    request.app.read(|db| {
        let catalogue = Arc::clone(db.catalogue());
        let comment = comments::find(db, comment_id)?.ok_or(Error::NotFound)?;
        let reply = Reply::object("comment", move |w| view::comment(w, &comment, &catalogue));
        Ok(reply.created(format!("{}/news/{id}", request.base_url())))
    })
}

/// Deletes a comment: 200 without a body.
pub fn delete_comment(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let comment: CommentId = request.id_param("comment_id")?;
    request.write(move |db, viewer| news::delete_comment(db, viewer, id, comment))?;
    Ok(Reply::ok())
}
