//! `/projects`: the projects that the viewer can see, as a tree, and their bookmarks.

use crate::access;
use crate::components::pager::Pager;
use crate::form;
use crate::frame::local_path::local_path;
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame};
use crate::prelude::*;
use quarry_actions::projects::{add_bookmark, may_create, remove_bookmark};
use quarry_domain::access::visibility;
use quarry_domain::projects::project::ProjectStatus;
use quarry_domain::values::text::parse_bool;
use quarry_http::Pagination;
use quarry_store::issues::count_open_by_project;

/// Number of projects on a page without `limit`.
const DEFAULT_LIMIT: i64 = 100;

/// Maximum indentation.
const MAX_DEPTH: usize = 5;

/// Maximum number of characters of a description.
const MAX_DESCRIPTION: usize = 300;

#[derive(Template)]
#[template(path = "projects/list.html")]
struct ProjectListPage {
    frame: Frame,
    total: i64,
    rows: Vec<Row>,
    pager: Pager,
    /// Whether the viewer may create projects.
    may_create: bool,
}

struct Row {
    name: String,
    path: String,
    description: String,
    depth: usize,
    is_member: bool,
    is_public: bool,
    is_closed: bool,
    is_bookmarked: bool,
    /// Number of open issues that the viewer can see.
    open_issues: i64,
}

/// `GET /projects`: the projects that the viewer can see, as a tree.
///
/// Lists the projects.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let tree = catalogue.tree.iter().copied();
    let visible: Vec<ProjectId> = tree.filter(|id| viewer.sees(*id)).collect();
    let pagination = Pagination::with_default_limit(&request.query, DEFAULT_LIMIT);
    let total = i64::try_from(visible.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(pagination.offset).unwrap_or(usize::MAX);
    let take = usize::try_from(pagination.limit).unwrap_or(0);
    let shown: Vec<ProjectId> = visible.into_iter().skip(skip).take(take).collect();
    let open = count_open_by_project(db, visibility::issues(viewer), &shown)?;
    let rows = shown.iter().filter_map(|id| {
        let project = catalogue.projects.get(id)?;
        let first_line = project
            .description
            .as_deref()
            .unwrap_or_default()
            .lines()
            .next()
            .unwrap_or_default();
        Some(Row {
            name: project.name.clone(),
            path: paths::project(project),
            description: first_line.chars().take(MAX_DESCRIPTION).collect(),
            depth: catalogue
                .ancestors(*id)
                .into_iter()
                .filter(|id| viewer.sees(*id))
                .count()
                .min(MAX_DEPTH),
            is_member: viewer.rights(*id).is_some_and(|rights| rights.member),
            is_public: project.is_public,
            is_closed: project.status == ProjectStatus::Closed,
            is_bookmarked: catalogue.is_bookmarked(viewer.user, *id),
            open_issues: open.get(id).copied().unwrap_or_default(),
        })
    });
    let page = ProjectListPage {
        frame: Frame::new(request, db, "Projects"),
        total,
        rows: rows.collect(),
        pager: Pager::for_list(request, pagination.offset, pagination.limit, total),
        may_create: may_create(viewer),
    };
    render(&page.frame, &page)
}

/// `POST /projects/:id/bookmark`: sets the bookmark of a project (`bookmark=1`) or removes it
/// (`bookmark=0`).
///
/// Changes the bookmark, and leads back to the page.
pub fn update_bookmark(request: &RequestContext) -> Result<Reply, Error> {
    let bookmark = form::field(request, "bookmark");
    let is_set = parse_bool(&bookmark).filter(|_| !bookmark.is_empty());
    let is_set = is_set.ok_or_else(|| Error::invalid("bookmark must be 1 or 0"))?;
    let reference = request.path_param("id").to_owned();
    let written = request.write(move |db, viewer| {
        if is_set {
            add_bookmark(db, viewer, &reference)
        } else {
            remove_bookmark(db, viewer, &reference)
        }
    });
    let name = access::found(request, written)?;
    let message = if is_set {
        format!("{name} is bookmarked.")
    } else {
        format!("The bookmark of {name} was removed.")
    };
    let back = form::field(request, "back_url");
    let location = local_path(&back).map_or_else(
        || paths::project_by_identifier(request.path_param("id")),
        str::to_owned,
    );
    Ok(redirect_with(request, location, &Flash::notice(message)))
}
