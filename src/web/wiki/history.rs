//! The index of a wiki, the versions of a page, and the differences between two of them.

use super::address::{self, Target, name, path};
use crate::access;
use crate::components::avatar::Person;
use crate::components::diff::{DiffLine, lines};
use crate::components::pager::{Pager, with_params};
use crate::components::time::Moment;
use crate::components::watch::WatchButton;
use crate::form::number_param;
use crate::frame::{Frame, ProjectTab};
use crate::render::render;
use askama::Template;
use quarry_actions::wiki;
use quarry_domain::access::permission::Permission;
use quarry_domain::content::watcher::{Watchable, WatchableType};
use quarry_http::resources::paths;
use quarry_http::{Error, Pagination, Reply, RequestContext};
use quarry_store as store;
use quarry_store::Read;

#[derive(Template)]
#[template(path = "wiki/index.html")]
struct WikiIndex {
    frame: Frame,
    total: i64,
    rows: Vec<PageRow>,
    pager: Pager,
    watch_button: Option<WatchButton>,
}

struct PageRow {
    name: String,
    path: String,
    parent: Option<String>,
    updated: Option<Moment>,
}

/// `GET /projects/:id/wiki/index`: all pages of a wiki.
///
/// Lists the pages by title.
pub fn index(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::project(request, catalogue, Permission::ViewWikiPages)?;
    let index_path = format!("{}/wiki/index", paths::project(project));
    let (pages, watch_button) = match store::content::wiki::find_by_project(db, project.id)? {
        Some(wiki) => {
            let watchable = Watchable::new(WatchableType::Wiki, wiki.id);
            (
                store::content::wiki::list(db, wiki.id)?,
                WatchButton::load(db, request.viewer(), watchable, &index_path)?,
            )
        }
        None => (Vec::new(), None),
    };
    let pagination = Pagination {
        limit: 100,
        ..Pagination::from_query(&request.query)
    };
    let number = request
        .query_param("page")
        .and_then(|page| page.parse::<i64>().ok())
        .unwrap_or(1)
        .clamp(1, 1_000_000);
    let offset = (number - 1) * pagination.limit;
    let total = i64::try_from(pages.len()).unwrap_or(i64::MAX);
    let rows = pages
        .into_iter()
        .skip(usize::try_from(offset).unwrap_or(0))
        .take(100)
        .map(|(page, updated_on)| PageRow {
            name: name(&page.title),
            path: path(project, &page.title),
            parent: page.parent_title.as_deref().map(name),
            updated: updated_on.map(Moment::new),
        });
    let view = WikiIndex {
        frame: Frame::new(request, db, "Wiki pages").in_project(
            catalogue,
            request.viewer(),
            project,
            Some(ProjectTab::Wiki),
        ),
        total,
        rows: rows.collect(),
        watch_button,
        pager: Pager::new(offset, pagination.limit, total, |page| {
            with_params(request, &[("page", Some(page.to_string().as_str()))])
        }),
    };
    render(&view.frame, &view)
}

/// Number of versions on a page.
const LIMIT: i64 = 50;

#[derive(Template)]
#[template(path = "wiki/history.html")]
struct HistoryPage {
    frame: Frame,
    name: String,
    page_path: String,
    total: i64,
    rows: Vec<VersionRow>,
    pager: Pager,
}

struct VersionRow {
    version: i64,
    author: Option<Person>,
    comments: String,
    updated: Moment,
}

/// `GET /projects/:id/wiki/:title/history`: the versions of a page.
///
/// Lists the versions, newest first.
pub fn history(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let (project, page) = match address::find(request, db)? {
        Target::Page(project, page) => (project, page),
        Target::Moved(path) => return Ok(Reply::redirect(format!("{path}/history"))),
        Target::Missing(_) => return Err(access::missing(request)),
    };
    if !viewer.may(Permission::ViewWikiEdits, project.id) {
        return Err(access::missing(request));
    }
    let number = request
        .query_param("page")
        .and_then(|page| page.parse::<i64>().ok())
        .unwrap_or(1)
        .clamp(1, 1_000_000);
    let offset = (number - 1) * LIMIT;
    let total = store::content::wiki::count_versions(db, page.id)?;
    let rows = store::content::wiki::list_versions(db, page.id, offset, LIMIT)?
        .into_iter()
        .map(|version| VersionRow {
            version: version.version,
            author: version.author.map(|id| Person::new(catalogue, id.into())),
            comments: version.comments.unwrap_or_default(),
            updated: Moment::new(version.updated_on),
        });
    let frame = Frame::new(request, db, format!("History of {}", name(&page.title)));
    let view = HistoryPage {
        name: name(&page.title),
        page_path: path(project, &page.title),
        total,
        rows: rows.collect(),
        pager: Pager::new(offset, LIMIT, total, |page| {
            with_params(request, &[("page", Some(page.to_string().as_str()))])
        }),
        frame: frame
            .in_project(catalogue, viewer, project, Some(ProjectTab::Wiki))
            .below(name(&page.title), path(project, &page.title)),
    };
    render(&view.frame, &view)
}

#[derive(Template)]
#[template(path = "wiki/diff.html")]
struct DiffPage {
    frame: Frame,
    name: String,
    page_path: String,
    old: i64,
    new: i64,
    lines: Vec<DiffLine>,
}

/// `GET /projects/:id/wiki/:title/diff`: the differences of two versions of a page.
///
/// Shows the differences between `version_from` and `version`; by default those of the current
/// version to the one before.
pub fn diff(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let (project, page) = match address::find(request, db)? {
        Target::Page(project, page) => (project, page),
        Target::Moved(path) => return Ok(Reply::redirect(format!("{path}/diff"))),
        Target::Missing(_) => return Err(access::missing(request)),
    };
    let new = number_param(request, "version").unwrap_or(page.version);
    let old = number_param(request, "version_from").unwrap_or_else(|| (new - 1).max(1));
    let text = |version: i64| {
        access::found(
            request,
            wiki::find_version(db, viewer, &page, Some(version)),
        )
    };
    let old_text = text(old)?.map_or(String::new(), |found| found.text);
    let new_text = text(new)?.map_or(String::new(), |found| found.text);
    let page_path = path(project, &page.title);
    let frame = Frame::new(request, db, format!("Differences of {}", name(&page.title)));
    let frame = frame
        .in_project(catalogue, viewer, project, Some(ProjectTab::Wiki))
        .below(name(&page.title), page_path.clone());
    let view = DiffPage {
        frame: frame.below("History", format!("{page_path}/history")),
        name: name(&page.title),
        page_path,
        old,
        new,
        lines: lines(&old_text, &new_text),
    };
    render(&view.frame, &view)
}
