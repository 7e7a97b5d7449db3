//! `GET /versions/:id`: a version with its progress and issues.

use crate::access;
use crate::components::time::date;
use crate::frame::{Frame, ProjectTab, Width};
use crate::issues::{IssueLink, links};
use crate::render::render;
use askama::Template;
use quarry_domain::access::permission::Permission;
use quarry_domain::access::visibility;
use quarry_domain::ids::VersionId;
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues::{Condition, Field};
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_store::issues;
use quarry_store::issues::IssueQuery;

/// Number of issues on the page.
const MAX_ISSUES: i64 = 100;

#[derive(Template)]
#[template(path = "versions/show.html")]
struct VersionPage {
    frame: Frame,
    name: String,
    status: String,
    due: Option<String>,
    id: VersionId,
    total: i64,
    closed: i64,
    percent: i64,
    issues: Vec<IssueLink>,
}

/// Shows the version.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let id: VersionId = request.id_param("id")?;
    let version = catalogue
        .versions
        .get(&id)
        .filter(|version| viewer.may(Permission::ViewIssues, version.project));
    let version = version.ok_or_else(|| access::missing(request))?;
    let visible = visibility::issues(viewer);
    let all = conditions(id, false);
    let done = conditions(id, true);
    let query = |conditions| IssueQuery {
        viewer,
        visible,
        conditions,
        order: &[],
        offset: 0,
        limit: MAX_ISSUES,
    };
    let (total, planned) = issues::list_and_count(db, &query(&all))?;
    let closed = issues::count(db, &query(&done))?;
    let ids: Vec<i64> = planned.iter().map(|issue| issue.id.0).collect();
    let mut frame = Frame::new(request, db, &version.name).with_width(Width::Narrow);
    if let Some(project) = catalogue.projects.get(&version.project) {
        frame = frame.in_project(catalogue, viewer, project, Some(ProjectTab::Issues));
    }
    let page = VersionPage {
        frame,
        name: version.name.clone(),
        status: status_label(&version.status),
        due: version.due_date.map(date),
        id,
        total,
        closed,
        percent: if total == 0 { 0 } else { closed * 100 / total },
        issues: links(request, db, &ids)?,
    };
    render(&page.frame, &page)
}

fn conditions(id: VersionId, closed: bool) -> Vec<Condition> {
    let planned = Condition {
        field: Field::Version,
        predicate: Predicate::OneOf(vec![id.0]),
    };
    let closed = closed.then_some(Condition {
        field: Field::Status,
        predicate: Predicate::Closed,
    });
    std::iter::once(planned).chain(closed).collect::<Vec<_>>()
}

/// Returns the status as it is shown: with a capital letter, like the badges beside it.
fn status_label(status: &str) -> String {
    let mut characters = status.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(characters).collect()
    })
}
