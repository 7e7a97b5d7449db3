//! A topic with its replies, and the form of a reply.

use super::edit::{DELETE, EDIT, LOCKED, MessagePages, Thread, may};
use crate::access;
use crate::components::attachments::FileRow;
use crate::components::avatar::Person;
use crate::components::form_page::FormPage;
use crate::components::pager::{Pager, with_params};
use crate::components::reactions::{ReactionBar, Reactions};
use crate::components::tasks::Tasks;
use crate::components::time::Moment;
use crate::components::watch::WatchButton;
use crate::form::number_param;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::notices::inbox::{WhyLine, mark_opened};
use crate::prelude::*;
use crate::records::content_pages::new_form;
use crate::records::deletions::count;
use crate::text::TextRenderer;
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::board::Board;
use quarry_domain::content::incoming_mail::MailedRecord;
use quarry_domain::content::message::Message;
use quarry_domain::content::reaction::ReactableType;
use quarry_domain::content::watcher::{Watchable, WatchableType};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice;
use quarry_markup::SafeHtml;
use quarry_store::content::{attachments, boards, messages, received_mails};

/// The parameter with the number of replies before those that are shown.
const START: &str = "start";
/// Number of replies on a page.
const LIMIT: i64 = 50;

#[derive(Template)]
#[template(path = "content/boards/topic.html")]
struct TopicPage {
    frame: Frame,
    subject: String,
    badges: Vec<&'static str>,
    messages: Vec<MessageView>,
    replies: String,
    pager: Pager,
    /// The address of the replies after those whose texts fill this page.
    next: Option<String>,
    watch_button: Option<WatchButton>,
    why: Option<WhyLine>,
    /// The changes of the topic that the viewer may make.
    changes: Changes,
    topic_id: i64,
    reply_form: Option<FormPage>,
    /// Why there is no form.
    refusal: Option<&'static str>,
}

/// What a viewer may do with a message.
#[derive(Clone, Copy)]
struct Changes {
    may_edit: bool,
    may_delete: bool,
    may_quote: bool,
}

impl Changes {
    fn new(viewer: &Viewer, board: &Board, topic: &Message, message: &Message) -> Changes {
        Changes {
            may_edit: may(viewer, board, message, EDIT),
            may_delete: may(viewer, board, message, DELETE),
            may_quote: !topic.locked && viewer.may(Permission::AddMessages, board.project),
        }
    }
}

struct MessageView {
    id: i64,
    /// The subject of a reply that has another one than the topic.
    subject: Option<String>,
    author: Option<Person>,
    created: Moment,
    changes: Changes,
    is_topic: bool,
    content: SafeHtml,
    files: Vec<FileRow>,
    reactions: Option<ReactionBar>,
    tasks: Option<Tasks>,
    /// Whether the mail that became it can be shown.
    is_mail: bool,
}

impl MessageView {
    fn path(&self) -> String {
        paths::message(self.id)
    }

    fn anchor(&self) -> String {
        format!("message-{}", self.id)
    }
}

/// `GET /boards/:board/topics/:id`: a topic with its replies.
///
/// Shows the topic. `r` is the id of a reply whose page is shown; a reply in the path redirects to
/// its topic.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let board: i64 = request.id_param("board")?;
    let id: i64 = request.id_param("id")?;
    let board = boards::find(db, board)?
        .filter(|board| viewer.may(Permission::ViewMessages, board.project));
    let board = board.ok_or_else(|| access::missing(request))?;
    let topic = messages::find(db, board.id, id)?.ok_or_else(|| access::missing(request))?;
    if let Some(parent) = topic.topic {
        return Ok(Reply::redirect(paths::reply(board.id, parent, id)));
    }
    let total = messages::count_replies(db, id, None)?;
    let (offset, mut page_messages) = replies(request, db, id)?;
    let end = offset + i64::try_from(page_messages.len()).unwrap_or(LIMIT);
    // The texts of a page have a limit, so that its end may come before that of its number.
    let is_cut = end < total.min((offset / LIMIT + 1) * LIMIT);
    let mut frame = Frame::new(request, db, &topic.subject).with_width(Width::Narrow);
    if let Some(project) = catalogue.projects.get(&board.project) {
        frame = frame.in_project(db, viewer, project, Some(ProjectTab::Forums));
        frame = frame
            .below("Forums", format!("{}/boards", paths::project(project)))
            .below(&board.name, paths::board(board.id));
    }
    let views = Views {
        request,
        db,
        board: &board,
        topic: &topic,
    };
    if offset == 0 {
        page_messages.insert(0, topic.clone());
    }
    let topic_path = paths::topic(board.id, id);
    let watchable = Watchable::new(WatchableType::Message, id);
    let notices = notice::Thread::new(Kind::Message, id);
    mark_opened(request, db, &mut frame, notices)?;
    let watch_button = WatchButton::load(db, viewer, watchable, &topic_path)?;
    let may_reply = viewer.may(Permission::AddMessages, board.project);
    let badges = [(topic.sticky, "Sticky"), (topic.locked, "Locked")];
    let badges = badges.iter().filter(|(is_set, _)| *is_set);
    let view = TopicPage {
        why: WhyLine::load(request, db, notices, watch_button.as_ref())?,
        watch_button,
        badges: badges.map(|(_, label)| *label).collect(),
        messages: views.list(page_messages)?,
        replies: count(total, "reply", "replies"),
        next: is_cut.then(|| format!("{topic_path}?{START}={end}")),
        pager: Pager::new(offset / LIMIT * LIMIT, LIMIT, total, |page| {
            with_params(
                request,
                &[
                    ("page", Some(page.to_string().as_str())),
                    ("r", None),
                    (START, None),
                ],
            )
        }),
        changes: Changes::new(viewer, &board, &topic, &topic),
        topic_id: id,
        reply_form: (may_reply && !topic.locked)
            .then(|| reply_form(request, db, &board, &topic))
            .transpose()?,
        refusal: (may_reply && topic.locked).then_some(LOCKED),
        subject: topic.subject.clone(),
        frame,
    };
    render(&view.frame, &view)
}

/// Returns the replies of the page that is asked for, with the number of those before them.
fn replies(
    request: &RequestContext,
    db: &Read<'_>,
    topic: i64,
) -> Result<(i64, Vec<Message>), Error> {
    const MAX: i64 = 50_000_000;
    let wanted = number_param(request, "r");
    let before = match wanted {
        Some(reply) => messages::count_replies(db, topic, Some(reply))?,
        None => 0,
    };
    let page = number_param(request, "page").map(|page| (page.clamp(1, MAX) - 1) * LIMIT);
    let start = number_param(request, START).map(|start| start.clamp(0, MAX));
    let offset = page.or(start).unwrap_or(before / LIMIT * LIMIT);
    let found = messages::replies(db, topic, offset, LIMIT)?;
    let is_shown = |reply: i64| found.iter().any(|message| message.id == reply);
    if page.is_none() && wanted.is_some_and(|reply| !is_shown(reply)) {
        return Ok((before, messages::replies(db, topic, before, LIMIT)?));
    }
    Ok((offset, found))
}

fn reply_form(
    request: &RequestContext,
    db: &Read<'_>,
    board: &Board,
    topic: &Message,
) -> Result<FormPage, Error> {
    let thread = Thread {
        board: board.clone(),
        topic: Some(topic.clone()),
        quoted: None,
    };
    Ok(new_form::<MessagePages>(request, db, &thread, &request.query)?.without_cancel())
}

/// What the views of messages need.
struct Views<'a> {
    request: &'a RequestContext,
    db: &'a Read<'a>,
    board: &'a Board,
    topic: &'a Message,
}

impl Views<'_> {
    fn list(&self, messages: Vec<Message>) -> Result<Vec<MessageView>, Error> {
        let request = self.request;
        let db = self.db;
        let project = self.board.project;
        let catalogue = db.catalogue();
        let ids: Vec<i64> = messages.iter().map(|message| message.id).collect();
        let files = attachments::list_by_container(db, Kind::Message, &ids)?;
        let reactions = Reactions::load(request, db, project, ReactableType::Message, &ids)?;
        let by_mail = match request.viewer().user {
            Some(_) => {
                received_mails::with_original(db, ids.iter().map(|id| MailedRecord::Message(*id)))?
            }
            None => Vec::new(),
        };
        let views = messages
            .into_iter()
            .map(|message| -> Result<MessageView, Error> {
                let files: &[Attachment] = files.get(&message.id).map_or(&[], Vec::as_slice);
                let renderer = TextRenderer::new(request, db, project, files);
                let changes = Changes::new(request.viewer(), self.board, self.topic, &message);
                let may_edit = changes.may_edit;
                let prefix = format!("message-{}-", message.id);
                Ok(MessageView {
                    id: message.id,
                    is_topic: message.topic.is_none(),
                    author: message
                        .author
                        .map(|id| Person::with_picture(request.viewer(), catalogue, id.into())),
                    created: Moment::new(message.created_on),
                    changes,
                    content: renderer.render(&message.content, &prefix)?,
                    files: FileRow::list_with_rights(db, request.viewer(), files)?,
                    reactions: reactions.bar(request, db, message.id),
                    tasks: Tasks::new(
                        may_edit,
                        format!("/messages/{}", message.id),
                        &message.content,
                    ),
                    is_mail: by_mail.contains(&message.id),
                    subject: self.own_subject(message),
                })
            });
        views.collect()
    }

    /// Returns the subject of a reply unless it is that of the topic.
    fn own_subject(&self, message: Message) -> Option<String> {
        let rest = message.subject.get(..3);
        let is_answer = rest.is_some_and(|start| start.eq_ignore_ascii_case("re:"));
        let bare = match is_answer {
            true => message.subject.get(3..).unwrap_or_default().trim(),
            false => message.subject.as_str(),
        };
        let is_same = self.topic.subject.trim() == bare || self.topic.subject == message.subject;
        (message.topic.is_some() && !is_same).then_some(message.subject)
    }
}
