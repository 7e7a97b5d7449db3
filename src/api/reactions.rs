//! Reactions to issues, notes, news, comments and messages (compatibility 13.8).

use crate::prelude::*;
use quarry_actions::content::reactions;
use quarry_actions::content::reactions::ReactionTarget;
use quarry_domain::content::reaction::{Reaction, ReactionContent};
use quarry_http::resources::fields::reaction::parse_content;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/issues/{id}/reactions",
            get(read_handler(list::<ToIssue>))
                .post(write_handler(create::<ToIssue>))
                .delete(write_handler(delete::<ToIssue>)),
        )
        .route(
            "/journals/{id}/reactions",
            get(read_handler(list::<ToJournal>))
                .post(write_handler(create::<ToJournal>))
                .delete(write_handler(delete::<ToJournal>)),
        )
        .route(
            "/messages/{id}/reactions",
            get(read_handler(list::<ToMessage>))
                .post(write_handler(create::<ToMessage>))
                .delete(write_handler(delete::<ToMessage>)),
        )
        .route(
            "/news/{id}/reactions",
            get(read_handler(list::<ToNews>))
                .post(write_handler(create::<ToNews>))
                .delete(write_handler(delete::<ToNews>)),
        )
        .route(
            "/news/{id}/comments/{comment_id}/reactions",
            get(read_handler(list::<ToComment>))
                .post(write_handler(create::<ToComment>))
                .delete(write_handler(delete::<ToComment>)),
        )
}

/// `GET` of the reactions to a record (compatibility 13.8).
///
/// Returns a page of the reactions, oldest first; with `content` those that say this.
fn list<T: TargetPath>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let target = T::parse(request)?;
    let content = content_filter(request)?;
    let mut reactions = reactions::list(db, request.viewer(), &target)?;
    reactions.retain(|reaction| content.is_none_or(|content| reaction.content == content));
    let pagination = Pagination::from_query(&request.query);
    let (page, total) = pagination.slice(reactions);
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "reactions",
        "reaction",
        page,
        move |w: &mut Fields, reaction: Reaction| {
            w.reference(
                "user",
                reaction.user.0,
                catalogue
                    .principal_name(reaction.user.into())
                    .unwrap_or_default(),
            );
            w.field("content", reaction.content.name());
            w.field("created_on", reaction.created_on);
        },
        meta,
    ))
}

/// `POST` of one's own reaction to a record (compatibility 13.8).
///
/// Adds one's own reaction with the `content` of the body or the query string, by default a thumb
/// up: 204, also when there is one.
fn create<T: TargetPath>(request: &RequestContext) -> Result<Reply, Error> {
    let target = T::parse(request)?;
    let content = own_content(request)?;
    request.write(move |db, viewer| reactions::create(db, viewer, &target, content))?;
    Ok(Reply::no_content())
}

/// `DELETE` of one's own reaction to a record (compatibility 13.8).
///
/// Removes one's own reaction with the `content` of the query string or the body, by default a thumb
/// up: 204, also when there is none.
fn delete<T: TargetPath>(request: &RequestContext) -> Result<Reply, Error> {
    let target = T::parse(request)?;
    let content = own_content(request)?;
    request.write(move |db, viewer| reactions::delete(db, viewer, &target, content))?;
    Ok(Reply::no_content())
}

/// Returns the `content` of the query string; `None` without one.
fn content_filter(request: &RequestContext) -> Result<Option<ReactionContent>, Error> {
    let name = request.query_param("content");
    let name = name.filter(|name| !name.is_empty());
    name.map(|name| parse_content(Some(&name))).transpose()
}

/// Returns the `content` of the body, or else of the query string.
///
/// # Errors
/// `Invalid` for an unknown one, and for a body that is a list, or has the content outside `reaction`.
fn own_content(request: &RequestContext) -> Result<ReactionContent, Error> {
    let has = |name: &str| request.body.get(name).is_some();
    let is_list = request.body.as_list().is_some();
    if is_list || has("content") && !has("reaction") {
        return Err(Error::invalid(
            "The body must be a reaction, such as {\"reaction\": {\"content\": \"heart\"}}",
        ));
    }
    let mut body = BodyFields::from_body(request, "reaction")?;
    let name = body.text("content", "Content");
    body.check()?;
    match name.value() {
        Some(name) => parse_content(Some(name)),
        None => Ok(content_filter(request)?.unwrap_or_default()),
    }
}

/// A type of record in the path of a request about its reactions.
pub trait TargetPath {
    /// Parses the record in the path.
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error>;
}

/// An issue: `/issues/:id/reactions`.
pub struct ToIssue;

impl TargetPath for ToIssue {
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error> {
        Ok(ReactionTarget::Issue(request.id_param("id")?))
    }
}

/// A journal: `/journals/:id/reactions`.
pub struct ToJournal;

impl TargetPath for ToJournal {
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error> {
        Ok(ReactionTarget::Journal(request.id_param("id")?))
    }
}

/// A news item: `/news/:id/reactions`.
pub struct ToNews;

impl TargetPath for ToNews {
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error> {
        Ok(ReactionTarget::News(request.id_param("id")?))
    }
}

/// A comment: `/news/:id/comments/:comment_id/reactions`.
pub struct ToComment;

impl TargetPath for ToComment {
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error> {
        Ok(ReactionTarget::Comment(
            request.id_param("id")?,
            request.id_param("comment_id")?,
        ))
    }
}

/// A topic or reply: `/messages/:id/reactions`.
pub struct ToMessage;

impl TargetPath for ToMessage {
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error> {
        Ok(ReactionTarget::Message(request.id_param("id")?))
    }
}
