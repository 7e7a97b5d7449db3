//! Messages of forums: topics and their replies (compatibility 13.2).

use crate::attachments::{parse_uploads, write_attachment};
use crate::prelude::*;
use axum::routing::post;
use quarry_actions::content::attachments::NewUpload;
use quarry_actions::content::boards;
use quarry_actions::content::messages;
use quarry_actions::content::messages::{MessageChange, MessageInBoard, find};
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::board::Board;
use quarry_domain::content::message::Message;
use quarry_domain::index_feed::kind::Kind;
use quarry_store as store;
use quarry_store::content::attachments;
use quarry_wire::Input;
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/boards/{id}/topics",
            get(read_handler(list)).post(write_handler(create_topic)),
        )
        .route(
            "/messages/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route("/messages/{id}/replies", post(write_handler(create_reply)))
}

/// `GET /boards/:id/topics` (compatibility 13.2).
///
/// Returns a page of the topics of a board, sticky ones first, then newest first, without their
/// contents.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let board = boards::find(db, request.viewer(), request.id_param("id")?)?;
    let pagination = Pagination::from_query(&request.query);
    let total = store::content::messages::count_topics(db, board.id)?;
    let topics =
        store::content::messages::topics(db, board.id, pagination.offset, pagination.limit)?;
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, topics.len());
    let describe =
        move |w: &mut _, (topic, replies)| write_topic(w, &topic, &board, replies, &catalogue);
    Ok(Reply::list("topics", "topic", topics, describe, meta))
}

/// `GET /messages/:id` (compatibility 13.2).
///
/// Returns a reply, or a topic with a page of its replies, oldest first.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    message_reply(request, db, request.id_param("id")?)
}

/// Returns the message with this id.
fn message_reply(request: &RequestContext, db: &Read<'_>, id: i64) -> Result<Reply, Error> {
    let found = find(db, request.viewer(), id)?;
    let replies = match found.message.topic {
        Some(_) => None,
        None => {
            let pagination = Pagination::from_query(&request.query);
            let total = store::content::messages::count_replies(db, id, None)?;
            let page =
                store::content::messages::replies(db, id, pagination.offset, pagination.limit)?;
            Some(Replies {
                page,
                total,
                pagination,
            })
        }
    };
    let context = ViewContext::load(request, db, &found, replies.as_ref())?;
    Ok(Reply::object("message", move |w| {
        write_full_message(w, &found, replies.as_ref(), &context)
    }))
}

/// `POST /boards/:id/topics`, `POST /messages/:id/replies` (compatibility 13.2).
///
/// Creates a topic: 201 with it and its URL.
fn create_topic(request: &RequestContext) -> Result<Reply, Error> {
    let board: i64 = request.id_param("id")?;
    let (change, uploads) = parse_message(request)?;
    let id = request
        .write(move |db, viewer| messages::create_topic(db, viewer, board, &change, &uploads))?;
    created_message(request, id)
}

/// Creates a reply: 201 with it and its URL.
fn create_reply(request: &RequestContext) -> Result<Reply, Error> {
    let message: i64 = request.id_param("id")?;
    let (change, uploads) = parse_message(request)?;
    let id = request
        .write(move |db, viewer| messages::create_reply(db, viewer, message, &change, &uploads))?;
    created_message(request, id)
}

fn created_message(request: &RequestContext, id: i64) -> Result<Reply, Error> {
    Ok(request
        .app
        .read(|db| message_reply(request, db, id))?
        .created(format!("{}/messages/{id}", request.base_url())))
}

/// `PUT /messages/:id` (compatibility 13.2).
///
/// Updates a message: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let (change, uploads) = parse_message(request)?;
    request.write(move |db, viewer| messages::update(db, viewer, id, &change, &uploads))?;
    request.app.read(|db| message_reply(request, db, id))
}

/// `DELETE /messages/:id` (compatibility 13.2).
///
/// Deletes a message, of a topic also the replies: 200 without a body.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    request.write(move |db, viewer| messages::delete(db, viewer, id))?;
    Ok(Reply::ok())
}

/// Parses the object `message` and its uploads.
pub fn parse_message(request: &RequestContext) -> Result<(MessageChange, Vec<NewUpload>), Error> {
    let change = MessageChange::from_body(&request.body)?;
    Ok((
        change,
        parse_uploads(request.body.get("message").unwrap_or(&Input::Null))?,
    ))
}

/// A page of the replies to a topic.
pub struct Replies {
    pub page: Vec<Message>,
    /// The number of all replies.
    pub total: i64,
    /// The requested part.
    pub pagination: Pagination,
}

/// The values of the parameter `include`.
const INCLUDES: [&str; 1] = ["attachments"];

/// What the output of messages needs besides them.
pub struct ViewContext {
    catalogue: Arc<Catalogue>,
    base: String,
    /// The files by message; `None` if they are not included.
    files: Option<HashMap<i64, Vec<Attachment>>>,
}

impl ViewContext {
    /// Loads what the parameter `include` names; unknown names are ignored.
    pub fn load(
        request: &RequestContext,
        db: &Read<'_>,
        found: &MessageInBoard,
        replies: Option<&Replies>,
    ) -> Result<ViewContext, Error> {
        let replies = replies.into_iter().flat_map(|replies| &replies.page);
        let ids: Vec<i64> = std::iter::once(&found.message)
            .chain(replies)
            .map(|message| message.id)
            .collect();
        let [with_files] = request.includes(INCLUDES);
        let files = if with_files {
            Some(attachments::list_by_container(db, Kind::Message, &ids)?)
        } else {
            None
        };
        Ok(ViewContext {
            catalogue: Arc::clone(db.catalogue()),
            base: request.base_url(),
            files,
        })
    }
}

/// Writes a topic of a list, without its content.
pub fn write_topic(
    w: &mut Fields,
    topic: &Message,
    board: &Board,
    replies: i64,
    catalogue: &Catalogue,
) {
    write_origin(w, topic, board, catalogue);
    w.field("sticky", topic.sticky);
    w.field("locked", topic.locked);
    w.field("replies_count", replies);
    w.field("created_on", topic.created_on);
    w.field("updated_on", topic.updated_on);
}

/// Writes a message, in the order of compatibility 13.2, and the page of the replies to a topic.
pub fn write_full_message(
    w: &mut Fields,
    found: &MessageInBoard,
    replies: Option<&Replies>,
    context: &ViewContext,
) {
    let message = &found.message;
    write_origin(w, message, &found.board, &context.catalogue);
    w.field("content", &message.content);
    if let Some(replies) = replies {
        w.field("sticky", message.sticky);
        w.field("locked", message.locked);
        w.field("replies_count", replies.total);
    }
    w.field("created_on", message.created_on);
    w.field("updated_on", message.updated_on);
    write_attached(w, message, context);
    let Some(replies) = replies else { return };
    w.field("offset", replies.pagination.offset);
    w.field(
        "limit",
        replies
            .pagination
            .page_limit(replies.total, replies.page.len()),
    );
    w.items("replies", "reply", &replies.page, |w, reply| {
        write_origin(w, reply, &found.board, &context.catalogue);
        w.field("content", &reply.content);
        w.field("created_on", reply.created_on);
        w.field("updated_on", reply.updated_on);
        write_attached(w, reply, context);
    });
}

/// Writes what identifies a message: id, project, board, topic, author and subject.
fn write_origin(w: &mut Fields, message: &Message, board: &Board, catalogue: &Catalogue) {
    w.field("id", message.id);
    w.reference(
        "project",
        board.project.0,
        catalogue.project_name(board.project),
    );
    w.reference("board", board.id, &board.name);
    if let Some(topic) = message.topic {
        w.nested("parent", |w| w.attribute("id", topic));
    }
    w.maybe_reference(
        "author",
        message.author.map(|id| {
            (
                id.0,
                catalogue.principal_name(id.into()).unwrap_or_default(),
            )
        }),
    );
    w.field("subject", &message.subject);
}

fn write_attached(w: &mut Fields, message: &Message, context: &ViewContext) {
    if let Some(files) = &context.files {
        let files = files.get(&message.id).map_or(&[][..], Vec::as_slice);
        w.items("attachments", "attachment", files, |w, file| {
            write_attachment(w, file, &context.catalogue, &context.base)
        });
    }
}
