//! The forms of topics and replies.

use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FormField, choice};
use crate::frame::{Frame, ProjectTab};
use crate::prelude::*;
use crate::records::content_pages::{ContentPages, new_routes, routes as content_routes};
use quarry_actions::content::attachments::NewUpload;
use quarry_actions::content::messages as actions;
use quarry_actions::content::messages::{MessageChange, MessageInBoard};
use quarry_domain::content::board::Board;
use quarry_domain::content::message::Message;
use quarry_store::content::{boards, messages};

/// Maximum number of bytes of a message that is quoted.
const MAX_QUOTE: usize = 20_000;

/// What a locked topic says to those who could reply.
pub const LOCKED: &str = "This topic is locked: it takes no replies.";

/// The permissions to edit any message, and own ones.
pub const EDIT: [Permission; 2] = [Permission::EditMessages, Permission::EditOwnMessages];
/// The permissions to delete any message, and own ones.
pub const DELETE: [Permission; 2] = [Permission::DeleteMessages, Permission::DeleteOwnMessages];

/// Returns the routes of the forms.
pub fn routes() -> Routes {
    content_routes::<MessagePages>("/boards/{board}/topics/new", "/messages/{id}")
        .merge(new_routes::<MessagePages>("/messages/{id}/reply"))
}

/// The pages of topics and replies.
pub struct MessagePages;

/// What a message belongs to.
#[derive(Clone)]
pub struct Thread {
    pub board: Board,
    /// The topic of a reply; `None` for a topic.
    pub topic: Option<Message>,
    /// The message that a reply quotes.
    pub quoted: Option<Message>,
}

/// Whether the viewer has the first permission, or has written the message and has the second one.
pub fn may(viewer: &Viewer, board: &Board, message: &Message, rights: [Permission; 2]) -> bool {
    let [any, own] = rights;
    let is_own = viewer.user.is_some() && viewer.user == message.author;
    viewer.may(any, board.project) || is_own && viewer.may(own, board.project)
}

fn find_message(request: &RequestContext, db: &Read<'_>) -> Result<MessageInBoard, Error> {
    let id = request.id_param("id")?;
    access::found(request, actions::find(db, request.viewer(), id))
}

fn permitted(
    request: &RequestContext,
    db: &Read<'_>,
    rights: [Permission; 2],
) -> Result<(Message, Thread), Error> {
    let MessageInBoard { message, board } = find_message(request, db)?;
    if !may(request.viewer(), &board, &message, rights) {
        return Err(Error::Forbidden);
    }
    let topic = message.topic.map(|topic| topic_of(db, topic));
    let topic = topic.transpose()?;
    let thread = Thread {
        board,
        topic,
        quoted: None,
    };
    Ok((message, thread))
}

fn topic_of(db: &Read<'_>, topic: i64) -> Result<Message, Error> {
    messages::find_by_id(db, topic)?.ok_or(Error::NotFound)
}

/// Returns the text of a reply that quotes a message.
fn quotation(db: &Read<'_>, message: &Message) -> String {
    let author = message
        .author
        .and_then(|id| db.catalogue().principal_name(id.into()));
    let end = message.content.floor_char_boundary(MAX_QUOTE);
    let quoted = message.content.get(..end).unwrap_or_default();
    let lines: Vec<String> = quoted.lines().map(|line| format!("> {line}")).collect();
    let author = author.unwrap_or("Anonymous");
    format!("{author} wrote:\n\n{}\n\n", lines.join("\n"))
}

impl ContentPages for MessagePages {
    type Parent = Thread;
    type Record = (Message, Thread);
    type Change = MessageChange;

    const NOUN: &'static str = "topic";

    fn noun(thread: &Thread) -> &'static str {
        match thread.topic {
            Some(_) => "reply",
            None => "topic",
        }
    }

    fn create_label(thread: &Thread) -> &'static str {
        match thread.topic {
            Some(_) => "Reply",
            None => "Create",
        }
    }

    fn refusal(thread: &Thread) -> Option<&'static str> {
        let topic = thread.topic.as_ref()?;
        topic.locked.then_some(LOCKED)
    }

    fn parent(request: &RequestContext, db: &Read<'_>) -> Result<Thread, Error> {
        let catalogue = db.catalogue();
        let (board, topic, quoted) = if request.path_param("board").is_empty() {
            let MessageInBoard { message, board } = find_message(request, db)?;
            let topic = topic_of(db, message.topic.unwrap_or(message.id))?;
            let is_quoted = request.query_param("quote").is_some();
            (board, Some(topic), is_quoted.then_some(message))
        } else {
            let board = boards::find(db, request.id_param("board")?)?;
            let view = Permission::ViewMessages;
            let board = board.filter(|board| request.viewer().may(view, board.project));
            (board.ok_or_else(|| access::missing(request))?, None, None)
        };
        access::managed_by_id(request, catalogue, board.project, Permission::AddMessages)?;
        Ok(Thread {
            board,
            topic,
            quoted,
        })
    }

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Self::Record, Error> {
        permitted(request, db, EDIT)
    }

    fn find_deletable(request: &RequestContext, db: &Read<'_>) -> Result<Self::Record, Error> {
        permitted(request, db, DELETE)
    }

    fn can_delete(request: &RequestContext, (message, thread): &Self::Record) -> bool {
        may(request.viewer(), &thread.board, message, DELETE)
    }

    fn id((message, _): &Self::Record) -> i64 {
        message.id
    }

    fn name((message, _): &Self::Record) -> String {
        message.subject.clone()
    }

    fn parent_of((_, thread): &Self::Record) -> Thread {
        thread.clone()
    }

    fn path((message, thread): &Self::Record) -> String {
        Self::created_path(thread, message.id)
    }

    fn created_path(thread: &Thread, id: i64) -> String {
        match &thread.topic {
            Some(topic) => paths::reply(thread.board.id, topic.id, id),
            None => paths::topic(thread.board.id, id),
        }
    }

    fn base_path(id: i64) -> String {
        paths::message(id)
    }

    fn list_path(thread: &Thread) -> String {
        match &thread.topic {
            Some(topic) => paths::topic(thread.board.id, topic.id),
            None => paths::board(thread.board.id),
        }
    }

    fn new_path(thread: &Thread) -> String {
        match &thread.topic {
            Some(topic) => format!("{}/reply", paths::message(topic.id)),
            None => format!("{}/topics/new", paths::board(thread.board.id)),
        }
    }

    fn frame(
        request: &RequestContext,
        db: &Read<'_>,
        thread: &Thread,
        title: &str,
    ) -> Result<Frame, Error> {
        let catalogue = db.catalogue();
        let tab = Some(ProjectTab::Forums);
        let project = access::by_id(request, catalogue, thread.board.project)?;
        let frame = Frame::new(request, db, title)
            .in_project(db, request.viewer(), project, tab)
            .below("Forums", format!("{}/boards", paths::project(project)))
            .below(&thread.board.name, paths::board(thread.board.id));
        Ok(match &thread.topic {
            Some(topic) => frame.below(&topic.subject, paths::topic(thread.board.id, topic.id)),
            None => frame,
        })
    }

    fn fields(
        request: &RequestContext,
        db: &Read<'_>,
        thread: &Thread,
        record: Option<&Self::Record>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<FormField>, Error> {
        let project = thread.board.project;
        let mut stored = record
            .map(|(message, _)| message.clone())
            .unwrap_or_default();
        if let Some(quoted) = &thread.quoted {
            stored.content = quotation(db, quoted);
        }
        let is_topic = thread.topic.is_none();
        let mut fields = Vec::new();
        // A new reply has the subject of its topic.
        if is_topic || record.is_some() {
            let subject = form.line("subject", "Subject", stored.subject).required();
            fields.push(match record {
                Some(_) => subject,
                None => subject.focused(),
            });
        }
        let label = if is_topic { "Text" } else { "Reply" };
        let text = form.long_text("content", label, stored.content).required();
        let text = text.with_preview(paths::preview("project", project));
        fields.push(match thread.quoted {
            Some(_) => text.focused(),
            None => text,
        });
        if is_topic && request.viewer().may(Permission::EditMessages, project) {
            fields.push(form.switch("sticky", "Sticky: before other topics", stored.sticky));
            fields.push(form.switch("locked", "Locked: takes no replies", stored.locked));
            let all = boards::list(db, project)?;
            if record.is_some() && all.len() > 1 {
                let choices = all.iter().map(|board| choice(board.id, &board.name));
                fields.push(form.select("board_id", "Forum", thread.board.id, choices));
            }
        }
        Ok(fields)
    }

    fn deletion_note(db: &Read<'_>, (message, _): &Self::Record) -> Result<String, Error> {
        let replies = match message.topic {
            Some(_) => 0,
            None => messages::count_replies(db, message.id, None)?,
        };
        let what = match replies {
            0 => "Its files are".to_owned(),
            1 => "Its files and one reply are".to_owned(),
            count => format!("Its files and {count} replies, also those of others, are"),
        };
        Ok(format!("{what} deleted, too. This cannot be undone."))
    }

    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        thread: &Thread,
        change: &MessageChange,
        uploads: &[NewUpload],
    ) -> Result<i64, ActionError> {
        match &thread.topic {
            Some(topic) => actions::create_reply(db, viewer, topic.id, change, uploads),
            None => actions::create_topic(db, viewer, thread.board.id, change, uploads),
        }
    }

    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        change: &MessageChange,
        uploads: &[NewUpload],
    ) -> Result<(), ActionError> {
        actions::update(db, viewer, id, change, uploads)
    }

    fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
        actions::delete(db, viewer, id)
    }
}
