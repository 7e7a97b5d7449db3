//! The start page: a large search box, what waits for the viewer, and the projects.

pub mod first_steps;

use super::frame::{Frame, SearchBox, Width};
use crate::accounts::my::blocks::{BlockLoader, IssueList};
use crate::frame::render::render;
use crate::notices::inbox::{EntryRow, unread};
use crate::prelude::*;
use axum::routing::post;
use first_steps::FirstStep;
use quarry_actions::projects::may_create;
use quarry_domain::access::visibility;
use quarry_domain::accounts::my_page::Block;
use quarry_domain::projects::project::ProjectStatus;
use quarry_store::issues::count_open_by_project;
use std::collections::HashMap;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new().route("/", get(read_handler(show))).route(
        "/admin/first_steps",
        post(write_handler(first_steps::hide).for_administrators()),
    )
}

/// Maximum number of entries of the inbox, and of issues of a list.
const MAX_ROWS: usize = 5;

/// Maximum number of bookmarks.
const MAX_BOOKMARKS: usize = 12;

/// Maximum number of projects; the others are on `/projects`.
const MAX_PROJECTS: usize = 50;

/// Maximum indentation.
const MAX_DEPTH: usize = 5;

/// Maximum number of characters of a description.
const MAX_DESCRIPTION: usize = 300;

#[derive(Template)]
#[template(path = "home/home.html")]
struct Home {
    frame: Frame,
    search: SearchBox,
    /// Maximum length of a query in characters.
    max_length: usize,
    /// What is left to do after the set-up.
    first_steps: Vec<FirstStep>,
    /// The unread entries of the inbox.
    inbox: Vec<EntryRow>,
    /// Issues that are due, and those that the viewer looked at last.
    lists: Vec<IssueList>,
    bookmarks: Vec<Row>,
    projects: Vec<Row>,
    /// Number of projects that the viewer can see.
    total: usize,
    /// Whether the viewer may create projects.
    may_create: bool,
}

impl Home {
    /// Returns how many of the first steps are done.
    fn done_steps(&self) -> usize {
        self.first_steps.iter().filter(|step| step.is_done).count()
    }
}

struct Row {
    name: String,
    path: String,
    /// The first line of the description.
    description: String,
    depth: usize,
    is_closed: bool,
    /// Number of open issues that the viewer can see.
    open_issues: i64,
}

/// Shows what waits for the viewer, then the projects that the viewer can see, in the order of the
/// tree, and those that the viewer bookmarked.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let visible: Vec<ProjectId> = catalogue
        .tree
        .iter()
        .copied()
        .filter(|id| viewer.sees(*id))
        .collect();
    let bookmarked = visible
        .iter()
        .filter(|id| catalogue.is_bookmarked(viewer.user, **id));
    let listed = &visible[..visible.len().min(MAX_PROJECTS)];
    let open = count_open_by_project(db, visibility::issues(viewer), listed)?;
    let page = Home {
        frame: Frame::new(request, db, "Start")
            .with_width(Width::Medium)
            .without_search(),
        search: SearchBox::everywhere(),
        first_steps: first_steps::list(request, db)?,
        inbox: unread(request, db, MAX_ROWS)?,
        lists: lists(request, db)?,
        max_length: request.app.search.bounds().query_characters,
        bookmarks: bookmarked
            .filter_map(|id| row(request, catalogue, *id, &open))
            .take(MAX_BOOKMARKS)
            .collect(),
        projects: listed
            .iter()
            .filter_map(|id| row(request, catalogue, *id, &open))
            .collect(),
        total: visible.len(),
        may_create: may_create(viewer),
    };
    render(&page.frame, &page)
}

/// Returns the short lists of issues that are not empty.
fn lists(request: &RequestContext, db: &Read<'_>) -> Result<Vec<IssueList>, Error> {
    let viewer = request.viewer();
    let mut lists = Vec::new();
    if viewer.user.is_some() && viewer.may_somewhere(Permission::ViewIssues) {
        let loader = BlockLoader::new(request, db);
        for block in [Block::Overdue, Block::DueSoon, Block::Recent] {
            let mut list = loader.load(block, None)?;
            list.rows.truncate(MAX_ROWS);
            lists.push(list);
        }
    }
    lists.retain(|list| !list.rows.is_empty());
    Ok(lists)
}

fn row(
    request: &RequestContext,
    catalogue: &Catalogue,
    id: ProjectId,
    open: &HashMap<ProjectId, i64>,
) -> Option<Row> {
    let project = catalogue.projects.get(&id)?;
    let first_line = project
        .description
        .as_deref()
        .unwrap_or_default()
        .lines()
        .next()
        .unwrap_or_default();
    let ancestors = catalogue
        .ancestors(id)
        .into_iter()
        .filter(|id| request.viewer().sees(*id));
    Some(Row {
        name: project.name.clone(),
        path: paths::project(project),
        description: first_line.chars().take(MAX_DESCRIPTION).collect(),
        depth: ancestors.count().min(MAX_DEPTH),
        is_closed: project.status == ProjectStatus::Closed,
        open_issues: open.get(&id).copied().unwrap_or_default(),
    })
}
