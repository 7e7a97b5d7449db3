//! Pages of forums: the boards of a project, the topics of a board, and a topic with its replies.

use crate::access;
use crate::components::attachments::FileRow;
use crate::components::avatar::Person;
use crate::components::pager::{Pager, with_params};
use crate::components::reactions::{ReactionButton, Reactions};
use crate::components::time::Moment;
use crate::components::watch::WatchButton;
use crate::form::number_param;
use crate::frame::{Frame, ProjectTab, Width};
use crate::render::render;
use crate::text::TextRenderer;
use askama::Template;
use quarry_domain::access::permission::Permission;
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::board::Board;
use quarry_domain::content::message::Message;
use quarry_domain::content::reaction::ReactableType;
use quarry_domain::content::watcher::{Watchable, WatchableType};
use quarry_domain::ids::ProjectId;
use quarry_domain::index_feed::kind::Kind;
use quarry_http::resources::paths;
use quarry_http::{Error, Pagination, Reply, RequestContext};
use quarry_markup::SafeHtml;
use quarry_store::Read;
use quarry_store::content::{attachments, boards, messages};

#[derive(Template)]
#[template(path = "boards/list.html")]
struct BoardList {
    frame: Frame,
    rows: Vec<(Board, i64)>,
}

/// `GET /projects/:id/boards`: the boards of a project.
///
/// Lists the boards with the number of their topics.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::project(request, catalogue, Permission::ViewMessages)?;
    let mut rows = Vec::new();
    for board in boards::list(db, project.id)? {
        let count = messages::count_topics(db, board.id)?;
        rows.push((board, count));
    }
    let frame = Frame::new(request, db, "Forums").in_project(
        catalogue,
        request.viewer(),
        project,
        Some(ProjectTab::Forums),
    );
    let page = BoardList { frame, rows };
    render(&page.frame, &page)
}

/// Number of replies on a page.
const LIMIT: i64 = 50;

#[derive(Template)]
#[template(path = "boards/topic.html")]
struct TopicPage {
    frame: Frame,
    subject: String,
    messages: Vec<MessageView>,
    replies: i64,
    pager: Pager,
    watch_button: Option<WatchButton>,
}

struct MessageView {
    id: i64,
    author: Option<Person>,
    created: Moment,
    content: SafeHtml,
    files: Vec<FileRow>,
    reaction: Option<ReactionButton>,
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
        return Ok(Reply::redirect(format!(
            "/boards/{}/topics/{parent}?r={id}#message-{id}",
            board.id
        )));
    }
    let page = match (number_param(request, "page"), number_param(request, "r")) {
        (Some(page), _) => page.clamp(1, 1_000_000),
        (None, Some(reply)) => messages::count_replies(db, id, Some(reply))? / LIMIT + 1,
        (None, None) => 1,
    };
    let offset = (page - 1) * LIMIT;
    let total = messages::count_replies(db, id, None)?;
    let mut page_messages = messages::replies(db, id, offset, LIMIT)?;
    let mut frame = Frame::new(request, db, &topic.subject).with_width(Width::Narrow);
    if let Some(project) = catalogue.projects.get(&board.project) {
        frame = frame.in_project(catalogue, viewer, project, Some(ProjectTab::Forums));
        frame = frame
            .below("Forums", format!("{}/boards", paths::project(project)))
            .below(&board.name, paths::board(board.id));
    }
    let subject = topic.subject.clone();
    if page == 1 {
        page_messages.insert(0, topic);
    }
    let topic_path = paths::topic(board.id, id);
    let view = TopicPage {
        watch_button: WatchButton::load(
            db,
            viewer,
            Watchable::new(WatchableType::Message, id),
            &topic_path,
        )?,
        frame,
        subject,
        messages: views(request, db, board.project, page_messages)?,
        replies: total,
        pager: Pager::new(offset, LIMIT, total, |page| {
            with_params(
                request,
                &[("page", Some(page.to_string().as_str())), ("r", None)],
            )
        }),
    };
    render(&view.frame, &view)
}

fn views(
    request: &RequestContext,
    db: &Read<'_>,
    project: ProjectId,
    messages: Vec<Message>,
) -> Result<Vec<MessageView>, Error> {
    let catalogue = db.catalogue();
    let ids: Vec<i64> = messages.iter().map(|message| message.id).collect();
    let files = attachments::list_by_container(db, Kind::Message, &ids)?;
    let reactions = Reactions::load(request, db, project, ReactableType::Message, &ids)?;
    let views = messages
        .into_iter()
        .map(|message| -> Result<MessageView, Error> {
            let files: &[Attachment] = files.get(&message.id).map_or(&[], Vec::as_slice);
            let renderer = TextRenderer::new(request, db, project, files);
            Ok(MessageView {
                id: message.id,
                author: message.author.map(|id| Person::new(catalogue, id.into())),
                created: Moment::new(message.created_on),
                content: renderer.render(&message.content, &format!("message-{}-", message.id))?,
                files: FileRow::list(catalogue, files),
                reaction: reactions.button(request, db, message.id),
            })
        });
    views.collect()
}

#[derive(Template)]
#[template(path = "boards/topics.html")]
struct TopicList {
    frame: Frame,
    name: String,
    total: i64,
    rows: Vec<Row>,
    pager: Pager,
    watch_button: Option<WatchButton>,
}

struct Row {
    path: String,
    subject: String,
    author: Option<Person>,
    created: Moment,
    replies: i64,
}

/// `GET /boards/:id`: the topics of a board, newest first.
///
/// Lists the topics.
pub fn topics(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let id: i64 = request.id_param("id")?;
    let board =
        boards::find(db, id)?.filter(|board| viewer.may(Permission::ViewMessages, board.project));
    let board = board.ok_or_else(|| access::missing(request))?;
    let pagination = Pagination::from_query(&request.query);
    let total = messages::count_topics(db, id)?;
    let rows = messages::topics(db, id, pagination.offset, pagination.limit)?
        .into_iter()
        .map(|(topic, replies)| Row {
            path: paths::topic(id, topic.id),
            subject: topic.subject,
            author: topic.author.map(|id| Person::new(catalogue, id.into())),
            created: Moment::new(topic.created_on),
            replies,
        });
    let mut frame = Frame::new(request, db, &board.name);
    if let Some(project) = catalogue.projects.get(&board.project) {
        frame = frame.in_project(catalogue, viewer, project, Some(ProjectTab::Forums));
        frame = frame.below("Forums", format!("{}/boards", paths::project(project)));
    }
    let pager = Pager::for_list(request, pagination.offset, pagination.limit, total);
    let watch_button = WatchButton::load(
        db,
        viewer,
        Watchable::new(WatchableType::Board, id),
        &paths::board(id),
    )?;
    let page = TopicList {
        frame,
        name: board.name,
        total,
        rows: rows.collect(),
        pager,
        watch_button,
    };
    render(&page.frame, &page)
}
