//! JSON and XML of topics and replies (compatibility 13.2).

use crate::actions::messages::MessageInBoard;
use crate::api::attachments::view::attachment;
use crate::domain::attachment::Attachment;
use crate::domain::catalogue::Catalogue;
use crate::domain::kind::Kind;
use crate::http::{Error, Pagination, RequestContext};
use crate::store::messages::{Board, Message};
use crate::store::{Read, attachments};
use crate::wire::Fields;
use std::collections::HashMap;
use std::sync::Arc;

/// A page of the replies to a topic.
pub struct Replies {
    /// The replies.
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
        let files = match with_files {
            true => Some(attachments::list_by_container(db, Kind::Message, &ids)?),
            false => None,
        };
        Ok(ViewContext {
            catalogue: Arc::clone(db.catalogue()),
            base: request.base_url(),
            files,
        })
    }
}

/// Writes a topic of a list, without its content.
pub fn topic(w: &mut Fields, topic: &Message, board: &Board, replies: i64, catalogue: &Catalogue) {
    origin(w, topic, board, catalogue);
    w.field("sticky", topic.sticky);
    w.field("locked", topic.locked);
    w.field("replies_count", replies);
    w.field("created_on", topic.created_on);
    w.field("updated_on", topic.updated_on);
}

/// Writes a message, in the order of compatibility 13.2, and the page of the replies to a topic.
pub fn full_message(
    w: &mut Fields,
    found: &MessageInBoard,
    replies: Option<&Replies>,
    context: &ViewContext,
) {
    let message = &found.message;
    origin(w, message, &found.board, &context.catalogue);
    w.field("content", &message.content);
    if let Some(replies) = replies {
        w.field("sticky", message.sticky);
        w.field("locked", message.locked);
        w.field("replies_count", replies.total);
    }
    w.field("created_on", message.created_on);
    w.field("updated_on", message.updated_on);
    attached(w, message, context);
    let Some(replies) = replies else { return };
    w.field("offset", replies.pagination.offset);
    w.field(
        "limit",
        replies
            .pagination
            .page_limit(replies.total, replies.page.len()),
    );
    w.items("replies", "reply", &replies.page, |w, reply| {
        origin(w, reply, &found.board, &context.catalogue);
        w.field("content", &reply.content);
        w.field("created_on", reply.created_on);
        w.field("updated_on", reply.updated_on);
        attached(w, reply, context);
    });
}

/// Writes what identifies a message: id, project, board, topic, author and subject.
fn origin(w: &mut Fields, message: &Message, board: &Board, catalogue: &Catalogue) {
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

fn attached(w: &mut Fields, message: &Message, context: &ViewContext) {
    if let Some(files) = &context.files {
        let files = files.get(&message.id).map_or(&[][..], Vec::as_slice);
        w.items("attachments", "attachment", files, |w, file| {
            attachment(w, file, &context.catalogue, &context.base)
        });
    }
}
