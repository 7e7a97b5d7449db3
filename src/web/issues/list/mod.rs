//! `GET /issues`, `GET /projects/:id/issues`: the issues that the query string of the API and a
//! saved query describe.

mod cells;
mod chips;
mod columns;
mod filter_names;
mod groups;
mod totals;

use crate::access;
use crate::components::pager::{Pager, with_params};
use crate::components::tabs::Tab;
use crate::frame::{Frame, ProjectTab};
use crate::queries::{QueryMenu, list_path};
use crate::render::render;
use askama::Template;
use cells::{Cell, CellContext};
use chips::{Chip, ListFilters};
use columns::{Column, ListColumn};
use groups::{Group, Grouping};
use quarry_actions::queries;
use quarry_domain::access::permission::Permission;
use quarry_domain::ids::QueryId;
use quarry_domain::projects::project::Project;
use quarry_http::resources::issue_list::IssueList;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use totals::Total;

#[derive(Template)]
#[template(path = "issues/list.html")]
struct IssueListPage {
    frame: Frame,
    total: i64,
    /// The address of the form for a new issue, if the viewer may add one.
    new_path: Option<String>,
    queries: QueryMenu,
    tabs: Vec<Tab>,
    chips: Vec<Chip>,
    totals: Vec<Total>,
    columns: Vec<ListColumn>,
    /// Whether the groups have headings.
    is_grouped: bool,
    groups: Vec<Group>,
    /// The cells of each issue, each with the class that leaves it out on narrow screens.
    rows: Vec<Vec<(Cell, &'static str)>>,
    pager: Pager,
    json: String,
}

impl IssueListPage {
    fn rows_of(&self, group: &Group) -> &[Vec<(Cell, &'static str)>] {
        &self.rows[group.rows.clone()]
    }
}

/// Lists the matching issues that the viewer may see.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = if request.path_param("id").is_empty() {
        None
    } else {
        Some(access::project(request, catalogue, Permission::ViewIssues)?)
    };
    if let Some(query) = default_query(request, db, project)? {
        return Ok(Reply::redirect(format!(
            "{}?query_id={query}",
            list_path(catalogue, project.map(|project| project.id))
        )));
    }
    let list = access::found(request, IssueList::parse(request, db))?;
    let (total, issues) = list.load(db, viewer)?;
    let mut frame = Frame::new(request, db, "Issues");
    if let Some(project) = project {
        frame = frame.in_project(catalogue, viewer, project, Some(ProjectTab::Issues));
    }
    let columns = columns::columns(request, catalogue, &list, project.is_none());
    let loaded: Vec<Column> = columns
        .iter()
        .map(|column| column.column)
        .chain(list.group.map(Column::Sortable))
        .collect();
    let cells = CellContext::load(db, viewer, &issues, &loaded)?;
    let groups = match list.group {
        Some(column) => Grouping {
            list: &list,
            column,
            total,
            viewer,
            zone: &frame.zone,
            cells: &cells,
        }
        .groups(db, &issues)?,
        None => vec![Group {
            label: String::new(),
            count: None,
            rows: 0..issues.len(),
        }],
    };
    let rows = issues
        .iter()
        .map(|issue| {
            columns
                .iter()
                .map(|column| {
                    (
                        cells.cell(issue, column.column),
                        if column.is_optional { " optional" } else { "" },
                    )
                })
                .collect()
        })
        .collect();
    let ListFilters { tabs, chips } = ListFilters::new(request, catalogue, &list)?;
    let query = with_params(request, &[]);
    let address = frame.path.split('?').next().unwrap_or_default();
    let page = IssueListPage {
        json: format!("{address}.json{}", if query == "?" { "" } else { &query }),
        total,
        new_path: new_path(request, project),
        tabs,
        chips,
        totals: totals::totals(request, db, &list)?,
        queries: QueryMenu::load(request, db, list.project)?,
        columns,
        is_grouped: list.group.is_some(),
        groups,
        rows,
        pager: Pager::new(
            list.pagination.offset,
            list.pagination.limit,
            total,
            |page| {
                with_params(
                    request,
                    &[
                        ("page", Some(page.to_string().as_str()).filter(|_| page > 1)),
                        ("offset", None),
                    ],
                )
            },
        ),
        frame,
    };
    render(&page.frame, &page)
}

/// Returns the default query of the project for a request without parameters, if the viewer may use
/// it.
fn default_query(
    request: &RequestContext,
    db: &Read<'_>,
    project: Option<&Project>,
) -> Result<Option<QueryId>, Error> {
    let Some(project) = project.filter(|_| request.query.entries().is_empty()) else {
        return Ok(None);
    };
    Ok(queries::find_default(db, request.viewer(), project)?.map(|query| query.id))
}

/// Returns the address of the form for a new issue, if the viewer may add one.
fn new_path(request: &RequestContext, project: Option<&Project>) -> Option<String> {
    let viewer = request.viewer();
    match project {
        Some(project) => viewer
            .may(Permission::AddIssues, project.id)
            .then(|| format!("{}/issues/new", paths::project(project))),
        None => viewer
            .projects_with(Permission::AddIssues)
            .next()
            .map(|_| "/issues/new".to_owned()),
    }
}
