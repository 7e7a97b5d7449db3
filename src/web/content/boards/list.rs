//! The boards of a project, and the topics of a board.

use crate::access;
use crate::components::avatar::Person;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::components::pager::Pager;
use crate::components::time::Moment;
use crate::components::watch::WatchButton;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::prelude::*;
use crate::records::deletions::count;
use quarry_domain::content::board::Board;
use quarry_domain::content::message::Message;
use quarry_domain::content::watcher::{Watchable, WatchableType};
use quarry_http::Pagination;
use quarry_store::content::messages::TopicSummary;
use quarry_store::content::{boards, messages};

/// Maximum depth of a board in the list.
const MAX_DEPTH: usize = 5;

#[derive(Template)]
#[template(path = "content/boards/list.html")]
struct BoardList {
    frame: Frame,
    rows: Vec<Row>,
    /// The address of the form of a board, if the viewer may add one.
    new_path: Option<String>,
}

struct Row {
    board: Board,
    depth: usize,
    topics: String,
    messages: String,
    last: Option<LastMessage>,
}

struct LastMessage {
    path: String,
    author: Option<Person>,
    created: Moment,
}

impl LastMessage {
    fn new(catalogue: &Catalogue, message: &Message) -> LastMessage {
        LastMessage {
            path: message_path(message),
            author: author(catalogue, message),
            created: Moment::new(message.created_on),
        }
    }
}

/// Returns the address of a message on the page of its topic.
fn message_path(message: &Message) -> String {
    match message.topic {
        Some(topic) => paths::reply(message.board, topic, message.id),
        None => paths::topic(message.board, message.id),
    }
}

fn author(catalogue: &Catalogue, message: &Message) -> Option<Person> {
    let author = message.author?;
    Some(Person::new(catalogue, author.into()))
}

/// `GET /projects/:id/boards`: the boards of a project.
///
/// Lists the boards, each after the one above it, with the number of their topics and the last
/// message.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewMessages)?;
    let boards = in_tree(boards::list(db, project.id)?);
    let ids: Vec<i64> = boards.iter().map(|(board, _)| board.id).collect();
    let counts = messages::count_by_board(db, &ids)?;
    let last = messages::last_by_board(db, &ids)?;
    let rows = boards.into_iter().map(|(board, depth)| {
        let (topics, messages) = counts.get(&board.id).copied().unwrap_or_default();
        Row {
            depth,
            topics: count(topics, "topic", "topics"),
            messages: count(messages, "message", "messages"),
            last: last
                .get(&board.id)
                .map(|message| LastMessage::new(catalogue, message)),
            board,
        }
    });
    let tab = Some(ProjectTab::Forums);
    let page = BoardList {
        frame: Frame::new(request, db, "Forums")
            .with_width(Width::Medium)
            .in_project(db, viewer, project, tab),
        rows: rows.collect(),
        new_path: viewer
            .may(Permission::ManageBoards, project.id)
            .then(|| format!("{}/boards/new", paths::project(project))),
    };
    render(&page.frame, &page)
}

/// Returns the boards, each after the one above it, with their depth. One whose parents form a
/// circle, as imported, counts as one at the top.
fn in_tree(boards: Vec<Board>) -> Vec<(Board, usize)> {
    let mut sorted = Vec::with_capacity(boards.len());
    let mut rest = boards;
    let is_top = |board: &Board, all: &[Board]| {
        board
            .parent
            .is_none_or(|parent| all.iter().all(|other| other.id != parent))
    };
    while !rest.is_empty() {
        let top = rest.iter().position(|board| is_top(board, &rest));
        let top = rest.remove(top.unwrap_or(0));
        add_below(top, 0, &mut rest, &mut sorted);
    }
    sorted
}

fn add_below(board: Board, depth: usize, rest: &mut Vec<Board>, sorted: &mut Vec<(Board, usize)>) {
    let id = board.id;
    sorted.push((board, depth));
    let below = (depth + 1).min(MAX_DEPTH);
    while let Some(index) = rest.iter().position(|other| other.parent == Some(id)) {
        add_below(rest.remove(index), below, rest, sorted);
    }
}

/// `GET /boards/:id`: the topics of a board, sticky ones first, then those with the latest message.
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
    let topics =
        messages::topics_by_last_message(db, id, pagination.offset, pagination.limit)?.into_iter();
    let rows = topics.map(|summary| row(viewer, catalogue, summary));
    let mut frame = Frame::new(request, db, &board.name);
    if let Some(project) = catalogue.projects.get(&board.project) {
        frame = frame.in_project(db, viewer, project, Some(ProjectTab::Forums));
        frame = frame.below("Forums", format!("{}/boards", paths::project(project)));
    }
    let path = paths::board(id);
    let watchable = Watchable::new(WatchableType::Board, id);
    let columns = ["Topic", "Author", "#Replies", "Last message"];
    let page = ListPage::new(frame, &columns, rows.collect())
        .with_introduction(&board.description)
        .with_watch_button(WatchButton::load(db, viewer, watchable, &path)?)
        .with_pager(
            Pager::for_list(request, pagination.offset, pagination.limit, total),
            total,
        );
    let page = match viewer.may(Permission::AddMessages, board.project) {
        true => page
            .with_button("New topic", format!("{path}/topics/new"))
            .with_empty("No topics yet.", "Start the first one."),
        false => page.with_empty(
            "No topics yet.",
            "Members whose role allows it can start topics.",
        ),
    };
    page.render()
}

fn row(viewer: &Viewer, catalogue: &Catalogue, summary: TopicSummary) -> Vec<Cell> {
    let TopicSummary {
        topic,
        replies,
        last,
    } = summary;
    let badges = [(topic.sticky, "Sticky"), (topic.locked, "Locked")];
    let badges = badges.iter().filter(|(is_set, _)| *is_set);
    let author_cell = match topic.author {
        Some(author) => Cell::Person(Person::with_picture(viewer, catalogue, author.into())),
        None => Cell::Text("unknown".to_owned()),
    };
    let link = paths::topic(topic.board, topic.id);
    vec![
        Cell::Record(
            Link::new(topic.subject, link),
            badges.map(|(_, label)| (*label).to_owned()).collect(),
        ),
        author_cell,
        Cell::Number(replies),
        Cell::Event(
            author(catalogue, &last),
            Moment::new(last.created_on),
            message_path(&last),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_stand_below_their_parents_and_circles_do_not_hide_any() {
        let board = |id, parent| Board {
            id,
            parent,
            ..Board::default()
        };
        let tree = in_tree(vec![
            board(1, Some(3)),
            board(2, None),
            board(3, None),
            board(4, Some(1)),
            board(5, Some(6)),
            board(6, Some(5)),
            board(7, Some(99)),
        ]);
        let ids: Vec<(i64, usize)> = tree
            .iter()
            .map(|(board, depth)| (board.id, *depth))
            .collect();
        assert_eq!(
            ids,
            [(2, 0), (3, 0), (1, 1), (4, 2), (7, 0), (5, 0), (6, 1)]
        );
    }
}
