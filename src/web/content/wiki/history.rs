//! The versions of a wiki page, and the differences between two of them.

use super::address::{self, Target, may, name, path};
use crate::access;
use crate::components::avatar::Person;
use crate::components::diff::{DiffLine, lines};
use crate::components::pager::{Pager, with_params};
use crate::components::time::Moment;
use crate::form::number_param;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use quarry_actions::content::wiki;
use quarry_store as store;

/// Number of versions on a page.
const LIMIT: i64 = 50;

#[derive(Template)]
#[template(path = "content/wiki/history.html")]
struct HistoryPage {
    frame: Frame,
    name: String,
    page_path: String,
    total: i64,
    rows: Vec<VersionRow>,
    pager: Pager,
    may_edit: bool,
}

struct VersionRow {
    version: i64,
    is_current: bool,
    author: Option<Person>,
    comments: String,
    updated: Moment,
}

/// `GET /projects/:id/wiki/:title/history`: the versions of a page.
///
/// Lists the versions, newest first. Two of them can be chosen to compare.
pub fn history(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let (project, page) = match address::find(request, db)? {
        Target::Page(project, page) => (project, page),
        Target::Moved(project, page) => {
            return Ok(address::redirect(request, project, &page, "/history"));
        }
        Target::Missing(_) => return Err(access::missing(request)),
    };
    if !viewer.may(Permission::ViewWikiEdits, project.id) {
        return Err(access::missing(request));
    }
    let number = number_param(request, "page").unwrap_or(1);
    let offset = (number.clamp(1, 1_000_000) - 1) * LIMIT;
    let total = store::content::wiki::count_versions(db, page.id)?;
    let rows = store::content::wiki::list_versions(db, page.id, offset, LIMIT)?
        .into_iter()
        .map(|version| VersionRow {
            version: version.version,
            is_current: version.version == page.version,
            author: version
                .author
                .map(|id| Person::with_picture(viewer, catalogue, id.into())),
            comments: version.comments.unwrap_or_default(),
            updated: Moment::new(version.updated_on),
        });
    let title = name(&page.title);
    let page_path = path(project, &page.title);
    let view = HistoryPage {
        total,
        rows: rows.collect(),
        pager: Pager::new(offset, LIMIT, total, |page| {
            with_params(request, &[("page", Some(page.to_string().as_str()))])
        }),
        may_edit: may(viewer, Permission::EditWikiPages, &page),
        frame: address::frame(request, db, project, format!("History of {title}"))
            .below(&title, &page_path),
        name: title,
        page_path,
    };
    render(&view.frame, &view)
}

#[derive(Template)]
#[template(path = "content/wiki/diff.html")]
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
/// Shows the differences between `version_from` and `version`, from the older one to the newer one;
/// by default those of the current version to the one before.
pub fn diff(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let (project, page) = match address::find(request, db)? {
        Target::Page(project, page) => (project, page),
        Target::Moved(project, page) => {
            return Ok(address::redirect(request, project, &page, "/diff"));
        }
        Target::Missing(_) => return Err(access::missing(request)),
    };
    let version = number_param(request, "version").unwrap_or(page.version);
    let from =
        number_param(request, "version_from").unwrap_or_else(|| version.saturating_sub(1).max(1));
    let old = from.min(version);
    let new = from.max(version);
    let text = |version: i64| {
        access::found(
            request,
            wiki::find_version(db, viewer, &page, Some(version)),
        )
    };
    let old_text = text(old)?.map_or(String::new(), |found| found.text);
    let new_text = text(new)?.map_or(String::new(), |found| found.text);
    let length = old_text.len() + new_text.len();
    request.render_budget().admit(length)?;
    let title = name(&page.title);
    let page_path = path(project, &page.title);
    let view = DiffPage {
        frame: address::frame(request, db, project, format!("Differences of {title}"))
            .below(&title, &page_path)
            .below("History", format!("{page_path}/history")),
        name: title,
        page_path,
        old,
        new,
        lines: lines(&old_text, &new_text),
    };
    render(&view.frame, &view)
}
