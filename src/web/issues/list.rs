//! `GET /issues`, `GET /projects/:id/issues`: a plain list, filtered and sorted by the query string of the API.

use crate::actions::queries;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::QueryId;
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::project::Project;
use crate::http::issue_list::{self, IssuePage};
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::access;
use crate::web::components::avatar::Person;
use crate::web::components::pager::{Pager, with_params};
use crate::web::components::tabs::Tab;
use crate::web::components::time::Moment;
use crate::web::frame::{Frame, ProjectTab, project_path};
use crate::web::queries::menu::{QueryMenu, list_path};
use crate::web::render::render;
use askama::Template;

/// Parameters that are not shown as chips.
const NON_FILTERS: [&str; 9] = ["status_id", "sort", "page", "offset", "limit", "key", "set_filter", "utf8", "nometa"];
/// The columns: name in `sort`, label, and whether it holds numbers.
const COLUMNS: [(&str, &str, bool); 7] = [
    ("id", "#", true),
    ("tracker", "Tracker", false),
    ("status", "Status", false),
    ("priority", "Priority", false),
    ("subject", "Subject", false),
    ("assigned_to", "Assignee", false),
    ("updated_on", "Updated", false),
];

#[derive(Template)]
#[template(path = "issues/list.html")]
struct IssueListPage {
    frame: Frame,
    total: i64,
    /// The address of the form for a new issue, if the viewer may add one.
    new_path: Option<String>,
    with_project: bool,
    queries: QueryMenu,
    tabs: Vec<Tab>,
    chips: Vec<Chip>,
    columns: Vec<ColumnHeader>,
    rows: Vec<Row>,
    pager: Pager,
    json: String,
}

struct Chip {
    name: String,
    value: String,
    remove: String,
}

struct ColumnHeader {
    label: &'static str,
    path: String,
    is_number: bool,
    /// Whether it is left out on narrow screens.
    is_optional: bool,
    /// Whether the list is sorted by it, and whether descending.
    descending: Option<bool>,
}

struct Row {
    id: i64,
    project: String,
    tracker: String,
    status: String,
    is_closed: bool,
    priority: String,
    subject: String,
    is_private: bool,
    assignee: Option<Person>,
    updated: Moment,
}

/// Lists the matching issues that the viewer may see.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project =
        if request.path_param("id").is_empty() { None } else { Some(access::project(request, catalogue, Permission::ViewIssues)?) };
    if let Some(query) = default_query(request, db, project)? {
        return Ok(Reply::redirect(format!("{}?query_id={query}", list_path(catalogue, project.map(|project| project.id)))));
    }
    let IssuePage { issues, total, pagination, project: scope, .. } = access::found(request, issue_list::load(request, db))?;
    let queries = QueryMenu::load(request, db, scope)?;
    let mut frame = Frame::new(request, db, "Issues");
    if let Some(project) = project {
        frame = frame.in_project(catalogue, request.viewer(), project, Some(ProjectTab::Issues));
    }
    let path = |page: i64| with_params(request, &[("page", Some(page.to_string().as_str()).filter(|_| page > 1)), ("offset", None)]);
    let query = with_params(request, &[]);
    let address = frame.path.split('?').next().unwrap_or_default();
    let page = IssueListPage {
        json: format!("{address}.json{}", if query == "?" { "" } else { &query }),
        total,
        new_path: new_path(request, project),
        with_project: project.is_none(),
        tabs: tabs(request, queries.current().is_some()),
        chips: chips(request, queries.current()),
        queries,
        columns: columns(request),
        rows: issues.iter().map(|issue| row(catalogue, issue)).collect(),
        pager: Pager::new(pagination.offset, pagination.limit, total, path),
        frame,
    };
    render(&page.frame, &page)
}

/// Returns the default query of the project for a request without parameters, if the viewer may use it.
fn default_query(request: &RequestContext, db: &Read<'_>, project: Option<&Project>) -> Result<Option<QueryId>, Error> {
    let Some(project) = project.filter(|_| request.query.entries().is_empty()) else { return Ok(None) };
    Ok(queries::find_default(db, request.viewer(), project)?.map(|query| query.id))
}

/// Returns the address of the form for a new issue, if the viewer may add one.
fn new_path(request: &RequestContext, project: Option<&Project>) -> Option<String> {
    let viewer = request.viewer();
    match project {
        Some(project) => viewer.may(Permission::AddIssues, project.id).then(|| format!("{}/issues/new", project_path(project))),
        None => viewer.projects_with(Permission::AddIssues).next().map(|_| "/issues/new".to_owned()),
    }
}

fn tabs(request: &RequestContext, has_query: bool) -> Vec<Tab> {
    let current = request.query_param("status_id").unwrap_or_default();
    // The filters of a saved query take the place of the default one.
    let current = if current.is_empty() && !has_query { "open" } else { &current };
    let tab = |label: &str, status: &str| {
        Tab::new(label, with_params(request, &[("status_id", Some(status)), ("page", None), ("offset", None)]), current == status)
    };
    vec![tab("Open", "open"), tab("Closed", "closed"), tab("All", "*")]
}

/// Returns the filters in the address, each with the address without it.
fn chips(request: &RequestContext, query: Option<&str>) -> Vec<Chip> {
    let filters = request.query.entries().iter().filter(|(name, _)| !NON_FILTERS.contains(&name.as_str()));
    let chips = filters.filter_map(|(name, value)| {
        let is_query = name == "query_id";
        let value = value.as_text()?;
        let value: String = query.filter(|_| is_query).unwrap_or(&value).chars().take(100).collect();
        let label = name.trim_end_matches("_id").replace('_', " ");
        let mut changes = vec![(name.as_str(), None), ("page", None), ("offset", None)];
        if is_query {
            // Without any parameter, a project shows its default query.
            changes.push(("set_filter", Some("1")));
        }
        Some(Chip { name: label, value, remove: with_params(request, &changes) })
    });
    chips.take(30).collect()
}

fn columns(request: &RequestContext) -> Vec<ColumnHeader> {
    let sort = request.query_param("sort").unwrap_or_default();
    let first = sort.split(',').next().unwrap_or_default();
    let (sorted, direction) = first.split_once(':').unwrap_or((first, ""));
    let header = |(name, label, is_number): (&str, &'static str, bool)| {
        let descending = (sorted == name).then_some(direction == "desc");
        // Numbers and times start with the largest.
        let next = match descending {
            Some(true) => name.to_owned(),
            None if !matches!(name, "id" | "priority" | "updated_on") => name.to_owned(),
            _ => format!("{name}:desc"),
        };
        let path = with_params(request, &[("sort", Some(&next)), ("page", None), ("offset", None)]);
        ColumnHeader { label, path, is_number, is_optional: !matches!(name, "id" | "status" | "subject"), descending }
    };
    COLUMNS.into_iter().map(header).collect()
}

fn row(catalogue: &Catalogue, issue: &Issue) -> Row {
    let status = catalogue.status(issue.status);
    Row {
        id: issue.id.0,
        project: catalogue.projects.get(&issue.project).map_or(String::new(), |project| project.name.clone()),
        tracker: catalogue.tracker(issue.tracker).map_or(String::new(), |tracker| tracker.name.clone()),
        status: status.map_or(String::new(), |status| status.name.clone()),
        is_closed: status.is_some_and(|status| status.is_closed),
        priority: catalogue.enumeration(issue.priority).map_or(String::new(), |priority| priority.name.clone()),
        subject: issue.subject.clone(),
        is_private: issue.private,
        assignee: issue.assignee.map(|id| Person::new(catalogue, id)),
        updated: Moment::new(issue.updated_on),
    }
}
