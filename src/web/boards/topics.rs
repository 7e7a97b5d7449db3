//! `GET /boards/:id`: the topics of a board, newest first.

use crate::domain::permission::Permission;
use crate::domain::watchable::{Watchable, WatchableType};
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, messages};
use crate::web::access;
use crate::web::components::avatar::Person;
use crate::web::components::pager::{Pager, with_params};
use crate::web::components::time::Moment;
use crate::web::components::watch::WatchButton;
use crate::web::frame::{Frame, ProjectTab, project_path};
use crate::web::render::render;
use askama::Template;

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

/// Lists the topics.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let id: i64 = request.id_param("id")?;
    let board = messages::find_board(db, id)?
        .filter(|board| viewer.may(Permission::ViewMessages, board.project));
    let board = board.ok_or_else(|| access::missing(request))?;
    let pagination = Pagination::from_query(&request.query);
    let total = messages::count_topics(db, id)?;
    let rows = messages::topics(db, id, pagination.offset, pagination.limit)?
        .into_iter()
        .map(|(topic, replies)| Row {
            path: format!("/boards/{id}/topics/{}", topic.id),
            subject: topic.subject,
            author: topic.author.map(|id| Person::new(catalogue, id.into())),
            created: Moment::new(topic.created_on),
            replies,
        });
    let path = |page: i64| {
        with_params(
            request,
            &[("page", Some(page.to_string().as_str())), ("offset", None)],
        )
    };
    let mut frame = Frame::new(request, db, &board.name);
    if let Some(project) = catalogue.projects.get(&board.project) {
        frame = frame.in_project(catalogue, viewer, project, Some(ProjectTab::Forums));
        frame = frame.below("Forums", format!("{}/boards", project_path(project)));
    }
    let pager = Pager::new(pagination.offset, pagination.limit, total, path);
    let watch_button = WatchButton::load(
        db,
        viewer,
        Watchable::new(WatchableType::Board, id),
        &format!("/boards/{id}"),
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
