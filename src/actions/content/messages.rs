//! Messages of forums: topics and their replies (compatibility 13.2).
//!
//! Invariants: a reply belongs to a topic, never to another reply, and is on the board of its
//! topic. Who may not see the messages of a project learns nothing about one.

use crate::content::attachments::{NewUpload, attach};
use crate::content::boards;
use crate::notices;
use crate::prelude::*;
use quarry_domain::content::board::Board;
use quarry_domain::content::message::Message;
use quarry_domain::index_feed::kind::Kind;
use quarry_store as store;
use quarry_store::content::messages;

/// A message with its board.
pub struct MessageInBoard {
    pub message: Message,
    pub board: Board,
}

/// Returns the message with this id (compatibility 13.2).
pub fn find(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<MessageInBoard, ActionError> {
    let Some(message) = messages::find_by_id(db, id)? else {
        return Err(ActionError::missing(viewer));
    };
    let board = store::content::boards::find(db, message.board)?
        .filter(|board| viewer.may(Permission::ViewMessages, board.project));
    board
        .map(|board| MessageInBoard { message, board })
        .ok_or_else(|| ActionError::missing(viewer))
}

impl MessageInBoard {
    /// Fails with `Forbidden` unless the viewer has the permission `any`, or has written the
    /// message and has the permission `own`.
    fn require(
        &self,
        viewer: &Viewer,
        any: Permission,
        own: Permission,
    ) -> Result<(), ActionError> {
        let is_own = viewer.user.is_some() && viewer.user == self.message.author;
        if viewer.may(any, self.board.project) || is_own && viewer.may(own, self.board.project) {
            Ok(())
        } else {
            Err(ActionError::Forbidden)
        }
    }
}

/// Maximum length of a subject in characters.
const MAX_SUBJECT_LENGTH: usize = 255;

/// The attributes of a message in a request. Sticky, locked and the board are for topics, and need
/// `edit_messages`; otherwise they are ignored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageChange {
    /// The subject; that of the topic when a reply has none.
    pub subject: Patch<String>,
    /// The content, as markup.
    pub content: Patch<String>,
    /// Whether the topic stands before the others.
    pub sticky: Patch<bool>,
    /// Whether the topic takes no replies.
    pub locked: Patch<bool>,
    /// The board of the topic, in the same project.
    pub board: Patch<i64>,
}

impl MessageChange {
    /// Returns the message after the change.
    fn apply_to(&self, viewer: &Viewer, project: ProjectId, before: &Message) -> Message {
        let mut after = Message {
            subject: self.subject.apply_to_text(&before.subject),
            content: self.content.apply_to_text(&before.content),
            ..before.clone()
        };
        if before.topic.is_none() && viewer.may(Permission::EditMessages, project) {
            after.sticky = self.sticky.apply_to(Some(before.sticky)).unwrap_or(false);
            after.locked = self.locked.apply_to(Some(before.locked)).unwrap_or(false);
            after.board = self.board.value().copied().unwrap_or(before.board);
        }
        after
    }
}

/// Creates a topic on the board, attaches the uploads, and returns its id.
pub fn create_topic(
    db: &mut Write<'_>,
    viewer: &Viewer,
    board: i64,
    change: &MessageChange,
    uploads: &[NewUpload],
) -> Result<i64, ActionError> {
    let board = boards::find(db, viewer, board)?;
    let blank = blank(db, viewer, &board, None);
    create(db, viewer, &board, &blank, change, uploads)
}

/// Creates a reply to the topic, or to the topic of a reply, attaches the uploads, and returns its
/// id.
///
/// # Errors
/// `Invalid` with a message for each attribute, and if the topic is locked.
pub fn create_reply(
    db: &mut Write<'_>,
    viewer: &Viewer,
    message: i64,
    change: &MessageChange,
    uploads: &[NewUpload],
) -> Result<i64, ActionError> {
    let MessageInBoard { message, board } = find(db, viewer, message)?;
    let topic = match message.topic {
        Some(topic) => find(db, viewer, topic)?.message,
        None => message,
    };
    if topic.locked && viewer.may(Permission::AddMessages, board.project) {
        return Err(ActionError::invalid("Topic is locked"));
    }
    let mut blank = blank(db, viewer, &board, Some(topic.id));
    blank.subject = reply_subject(&topic.subject);
    create(db, viewer, &board, &blank, change, uploads)
}

/// Returns the subject of a reply without one, at most as long as a subject may be.
fn reply_subject(topic: &str) -> String {
    let prefixed = if topic
        .get(..3)
        .is_some_and(|start| start.eq_ignore_ascii_case("re:"))
    {
        topic.to_owned()
    } else {
        format!("RE: {topic}")
    };
    prefixed.chars().take(MAX_SUBJECT_LENGTH).collect()
}

/// Returns a draft without texts, by the viewer.
fn blank(db: &Read<'_>, viewer: &Viewer, board: &Board, topic: Option<i64>) -> Message {
    Message {
        board: board.id,
        topic,
        author: viewer.author_id(db.catalogue()),
        created_on: db.now(),
        updated_on: db.now(),
        ..Message::default()
    }
}

fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    board: &Board,
    blank: &Message,
    change: &MessageChange,
    uploads: &[NewUpload],
) -> Result<i64, ActionError> {
    if !viewer.may(Permission::AddMessages, board.project) {
        return Err(ActionError::Forbidden);
    }
    // An empty subject of a reply counts as none.
    let mut draft = change.apply_to(viewer, board.project, blank);
    if draft.subject.is_empty() {
        draft.subject.clone_from(&blank.subject);
    }
    draft.board = board.id;
    validate(db, board.project, blank, &draft)?;
    let id = messages::insert(db, &draft)?;
    attach(db, viewer, Kind::Message, id, uploads)?;
    notices::message_posted(db, board.project, &Message { id, ..draft })?;
    Ok(id)
}

/// Validates a message.
fn validate(
    db: &Read<'_>,
    project: ProjectId,
    before: &Message,
    after: &Message,
) -> Result<(), ActionError> {
    let mut errors = ValidationErrors::new();
    let is_new = before.id == 0;
    if is_new || before.subject != after.subject {
        errors.require_text("subject", "Subject", &after.subject, MAX_SUBJECT_LENGTH);
        errors.refuse_line_breaks("subject", "Subject", &after.subject, None);
    }
    if is_new || before.content != after.content {
        errors.require_text(
            "content",
            "Content",
            &after.content,
            db.catalogue().max_text_length(),
        );
    }
    if before.board != after.board
        && store::content::boards::find(db, after.board)?
            .is_none_or(|board| board.project != project)
    {
        errors.add(
            "board_id",
            "Board",
            "is invalid (this project has no such board)",
        );
    }
    errors.into_result().map_err(ActionError::Invalid)
}

/// Updates a message, and attaches the uploads. The replies to a topic that moves to another board
/// move along.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    change: &MessageChange,
    uploads: &[NewUpload],
) -> Result<(), ActionError> {
    let found = find(db, viewer, id)?;
    found.require(
        viewer,
        Permission::EditMessages,
        Permission::EditOwnMessages,
    )?;
    let before = found.message;
    let project = found.board.project;
    let after = change.apply_to(viewer, project, &before);
    validate(db, project, &before, &after)?;
    if after != before {
        messages::update(
            db,
            &Message {
                updated_on: db.now(),
                ..after
            },
        )?;
    }
    attach(db, viewer, Kind::Message, id, uploads)?;
    Ok(())
}

/// Deletes a message with its files. A topic is deleted with all replies, including those of
/// others.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
    find(db, viewer, id)?.require(
        viewer,
        Permission::DeleteMessages,
        Permission::DeleteOwnMessages,
    )?;
    Ok(messages::delete(db, id)?)
}
