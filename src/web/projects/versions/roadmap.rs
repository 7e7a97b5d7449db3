//! `GET /projects/:id/roadmap`: the versions of a project with their progress.

use super::summary::VersionSummary;
use crate::access;
use crate::components::pager::Pager;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::issues::{IssueLink, links};
use crate::prelude::*;
use quarry_actions::projects::versions;
use quarry_domain::administration::time_zone;
use quarry_domain::ids::VersionId;
use quarry_domain::projects::version::Version;
use quarry_domain::values::stable_sort::StableSort;
use quarry_domain::values::text::parse_bool;
use quarry_http::Pagination;
use quarry_store::projects::version_progress::{first_issues, progress};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Number of versions on a page.
const LIMIT: i64 = 12;
/// Number of issues of each version.
const ISSUES: i64 = 8;

#[derive(Template)]
#[template(path = "projects/versions/roadmap.html")]
struct RoadmapPage {
    frame: Frame,
    total: i64,
    /// Whether closed versions are shown, too.
    with_closed: bool,
    /// Whether the project has closed versions.
    has_closed: bool,
    rows: Vec<RoadmapRow>,
    pager: Pager,
    /// The address of the calendar for calendar programs.
    ics_path: String,
    /// The address of the form for a version, if the viewer may create one.
    new_path: Option<String>,
}

struct RoadmapRow {
    version: VersionSummary,
    issues: Vec<IssueLink>,
}

/// Shows the versions of the project and those that are shared with it: those in work by their due
/// date, then with `completed=1` the closed ones, the latest first.
pub fn roadmap(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewIssues)?;
    let with_closed = request
        .query_param("completed")
        .is_some_and(|value| parse_bool(&value) == Some(true));
    let mut all = access::found(request, versions::list(catalogue, viewer, project.id))?;
    let has_closed = all.iter().any(|version| is_closed(version));
    all.retain(|version| with_closed || !is_closed(version));
    all.stable_sort_by_key(|version| sort_key(version));
    let pagination = Pagination::with_default_limit(&request.query, LIMIT);
    let limit = pagination.limit.min(LIMIT);
    let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let shown: Vec<&Version> = all
        .into_iter()
        .skip(usize::try_from(pagination.offset).unwrap_or(usize::MAX))
        .take(usize::try_from(limit).unwrap_or(0))
        .collect();
    let ids: Vec<VersionId> = shown.iter().map(|version| version.id).collect();
    let mut progress = progress(db, viewer, &ids)?;
    let first = first_issues(db, viewer, &ids, ISSUES)?;
    let mut issues: HashMap<i64, IssueLink> = {
        let ids: Vec<i64> = first.values().flatten().copied().collect();
        let loaded = links(request, db, &ids)?;
        loaded.into_iter().map(|issue| (issue.id, issue)).collect()
    };
    let zone = time_zone::for_user(catalogue, viewer.user);
    let today = db.now().to_zoned(zone).date();
    let rows = shown.into_iter().map(|version| {
        let progress = progress.remove(&version.id).unwrap_or_default();
        let of_version = first.get(&version.id).into_iter().flatten();
        let other = catalogue
            .projects
            .get(&version.project)
            .filter(|owner| owner.id != project.id && viewer.sees(owner.id));
        RoadmapRow {
            version: VersionSummary {
                project: other.map(|project| project.name.clone()),
                ..VersionSummary::new(catalogue, viewer, version, progress, today)
            },
            issues: of_version.filter_map(|id| issues.remove(id)).collect(),
        }
    });
    let rows = rows.collect();
    let path = paths::project(project);
    let page = RoadmapPage {
        frame: Frame::new(request, db, "Roadmap")
            .in_project(db, viewer, project, Some(ProjectTab::Roadmap))
            .with_width(Width::Medium),
        total,
        with_closed,
        has_closed,
        rows,
        pager: Pager::for_list(request, pagination.offset, limit, total),
        ics_path: format!(
            "{path}/roadmap.ics{}",
            if with_closed { "?completed=1" } else { "" }
        ),
        new_path: viewer
            .may(Permission::ManageVersions, project.id)
            .then(|| format!("{path}/versions/new")),
    };
    render(&page.frame, &page)
}

/// Whether the version is closed.
pub fn is_closed(version: &Version) -> bool {
    version.status == "closed"
}

/// Returns what sorts the versions: those in work by their due date, those without one last; closed
/// ones after them, the latest first.
fn sort_key(version: &Version) -> impl Ord + use<> {
    let due = version.due_date;
    let closed = is_closed(version);
    (
        closed,
        (!closed).then_some((due.is_none(), due, version.id)),
        closed.then_some(Reverse((due, version.id))),
    )
}
