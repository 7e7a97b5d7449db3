//! `/my/page`: the issues that concern the viewer, and the viewer's projects.

use super::watched::{self, WatchedLink};
use crate::components::badge::Stage;
use crate::components::time::Moment;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::issues::recent_issues;
use crate::prelude::*;
use jiff::civil::Date;
use quarry_domain::access::visibility;
use quarry_domain::administration::time_zone;
use quarry_domain::query::columns;
use quarry_domain::query::filter::{Context, parse_short};
use quarry_domain::query::issues as query;
use quarry_domain::query::issues::Condition;
use quarry_domain::values::stable_sort::StableSort;
use quarry_domain::values::text::date;
use quarry_store::StoreError;
use quarry_store::issues;
use quarry_store::issues::IssueQuery;

/// Number of issues of each list.
const MAX_ISSUES: i64 = 10;
/// Maximum number of projects of each list.
const MAX_PROJECTS: usize = 20;
/// Number of days ahead in which a due date is soon.
const SOON_DAYS: i32 = 7;

#[derive(Template)]
#[template(path = "accounts/my/page.html")]
struct MyPage {
    frame: Frame,
    lists: Vec<IssueList>,
    bookmarks: Vec<ProjectLink>,
    projects: Vec<ProjectLink>,
    /// What the viewer watches other than issues.
    watched: Vec<WatchedLink>,
}

/// A list of issues.
struct IssueList {
    title: &'static str,
    /// What it says when there are no issues.
    empty: &'static str,
    total: i64,
    /// The address of all of them.
    path: String,
    rows: Vec<Row>,
}

struct Row {
    id: i64,
    subject: String,
    project: String,
    tracker: String,
    status: String,
    priority: String,
    stage: Stage,
    is_private: bool,
    updated: Moment,
    due: Option<String>,
    is_overdue: bool,
}

struct ProjectLink {
    name: String,
    path: String,
}

/// `GET /my/page`.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let user = request.require_user()?;
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let today = time_zone::date_for_user(catalogue, viewer.user, db.now());
    let soon = today.saturating_add(jiff::Span::new().days(SOON_DAYS));
    let overdue = format!("<={}", today.saturating_sub(jiff::Span::new().days(1)));
    let due = format!("><{today}|{soon}");
    let mut lists = Vec::new();
    if viewer.may_somewhere(Permission::ViewIssues) {
        let assigned = ("assigned_to_id", "me");
        for (title, due) in [("Overdue", &overdue), ("Due within a week", &due)] {
            let filters = [assigned, ("due_date", due.as_str())];
            lists.push(list(request, db, title, "", &filters, "due_date")?);
        }
        lists.push(list(
            request,
            db,
            "Assigned to me",
            "No open issue is assigned to you.",
            &[assigned],
            "priority:desc,updated_on:desc",
        )?);
        lists.push(list(
            request,
            db,
            "Reported by me",
            "No open issue was reported by you.",
            &[("author_id", "me")],
            "updated_on:desc",
        )?);
        lists.push(list(
            request,
            db,
            "Watched",
            "",
            &[("watcher_id", "me")],
            "updated_on:desc",
        )?);
        lists.push(recent(request, db, today)?);
    }
    lists.retain(|list| list.total > 0 || !list.empty.is_empty());
    let page = MyPage {
        frame: Frame::new(request, db, "My page").with_width(Width::TwoColumns),
        lists,
        bookmarks: links(
            viewer,
            catalogue,
            &mut catalogue
                .bookmarks
                .get(&user)
                .into_iter()
                .flatten()
                .copied(),
        ),
        watched: watched::links(request, db)?,
        projects: links(
            viewer,
            catalogue,
            &mut viewer.member_project_ids().iter().map(|id| ProjectId(*id)),
        ),
    };
    render(&page.frame, &page)
}

fn links(
    viewer: &Viewer,
    catalogue: &Catalogue,
    ids: &mut dyn Iterator<Item = ProjectId>,
) -> Vec<ProjectLink> {
    let visible = ids
        .filter(|id| viewer.sees(*id))
        .filter_map(|id| catalogue.projects.get(&id));
    let mut links: Vec<_> = visible
        .map(|project| ProjectLink {
            name: project.name.clone(),
            path: paths::project(project),
        })
        .collect();
    links.stable_sort_by_key(|link| link.name.to_lowercase());
    links.truncate(MAX_PROJECTS);
    links
}

/// Loads the open issues that match these filters of the API.
fn list(
    request: &RequestContext,
    db: &Read<'_>,
    title: &'static str,
    empty: &'static str,
    filters: &[(&str, &str)],
    order: &str,
) -> Result<IssueList, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let today = time_zone::date_for_user(catalogue, viewer.user, db.now());
    let context = Context::new(viewer, catalogue, db.now());
    let fields = query::filter_fields(catalogue, viewer, false);
    let mut conditions = Vec::new();
    for (name, value) in filters.iter().chain(&[("status_id", "open")]) {
        // A filter that the viewer does not have matches nothing.
        let Some(field) = fields.iter().find(|field| field.name == *name) else {
            return Ok(IssueList {
                title,
                empty,
                total: 0,
                path: String::new(),
                rows: Vec::new(),
            });
        };
        let predicate =
            parse_short(field.kind, &field.label, value, &context).map_err(Error::Internal)?;
        conditions.push(Condition {
            field: field.field,
            predicate,
        });
    }
    let visible = visibility::issues(viewer);
    let order_criteria = columns::parse_order(catalogue, viewer, order);
    let query = IssueQuery {
        viewer,
        visible,
        project: None,
        conditions: &conditions,
        order: &order_criteria,
        offset: 0,
        limit: MAX_ISSUES,
    };
    let (total, found) =
        issues::list_and_count(db, &query).map_err(|error: StoreError| Error::from(error))?;
    let params: String = filters
        .iter()
        .map(|(name, value)| format!("{name}={}&", paths::encode(value)))
        .collect();
    let rows = found
        .iter()
        .map(|issue| {
            row(
                catalogue,
                issue,
                issue.due_date.is_some_and(|due| due < today),
            )
        })
        .collect();
    Ok(IssueList {
        title,
        empty,
        total,
        path: format!("/issues?{params}sort={}", paths::encode(order)),
        rows,
    })
}

/// Loads the issues that the viewer has looked at last, open or not.
fn recent(request: &RequestContext, db: &Read<'_>, today: Date) -> Result<IssueList, Error> {
    let mut rows = Vec::new();
    let ids = recent_issues::ids(request);
    issues::preload(db, ids.iter().copied())?;
    for id in ids {
        if let Some(issue) = issues::find(db, visibility::issues(request.viewer()), id)? {
            let is_overdue =
                issue.closed_on.is_none() && issue.due_date.is_some_and(|due| due < today);
            rows.push(row(db.catalogue(), &issue, is_overdue));
        }
    }
    Ok(IssueList {
        title: "Recently viewed",
        empty: "",
        total: i64::try_from(rows.len()).unwrap_or_default(),
        path: String::new(),
        rows,
    })
}

fn row(catalogue: &Catalogue, issue: &Issue, is_overdue: bool) -> Row {
    let status = catalogue.status(issue.status);
    Row {
        id: issue.id.0,
        subject: issue.subject.clone(),
        project: catalogue
            .projects
            .get(&issue.project)
            .map_or(String::new(), |project| project.name.clone()),
        tracker: catalogue
            .tracker(issue.tracker)
            .map_or(String::new(), |tracker| tracker.name.clone()),
        status: status.map_or(String::new(), |status| status.name.clone()),
        priority: catalogue
            .enumeration(issue.priority)
            .map_or(String::new(), |priority| priority.name.clone()),
        stage: Stage::of(catalogue, issue.status),
        is_private: issue.private,
        updated: Moment::new(issue.updated_on),
        due: issue.due_date.map(date),
        is_overdue,
    }
}
