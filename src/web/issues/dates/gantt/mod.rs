//! `GET /issues/gantt`, `GET /projects/:id/issues/gantt`: the issues of a list as bars by their dates,
//! by project and version, next to a table that says the same.

mod chart;
mod rows;
mod scale;

use super::dated_view::{DatedView, ViewHead};
use super::months::Months;
use crate::components::badge::Stage;
use crate::components::pager::Pager;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::issues::list::redirect;
use crate::issues::show::fields::done_ratio;
use crate::issues::views::View;
use crate::prelude::*;
use chart::{BarState, Chart, ChartContext, Line};
use jiff::civil::Date;
use quarry_actions::issues::may_edit;
use quarry_domain::issues::relation::{Relation, RelationType};
use quarry_store::issues::{DateRange, relations};
use rows::Row;
use std::collections::{HashMap, HashSet};

/// How many months are shown.
const DEFAULT_MONTHS: i8 = 3;
/// Maximum number of issues that are put into order.
const MAX_LOADED: i64 = 1_000;
/// Number of issues on a page, so that it stays below 30 KB with all that it loads.
const ISSUES_PER_PAGE: i64 = 50;
/// Maximum number of versions without issues.
const MAX_VERSIONS: usize = 50;
/// Rows are not indented further than this.
const MAX_DEPTH: usize = 4;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues/gantt", get(issue_list_handler(show)))
        .route("/projects/{id}/issues/gantt", get(issue_list_handler(show)))
}

#[derive(Template)]
#[template(path = "issues/dates/gantt/show.html")]
struct GanttPage {
    frame: Frame,
    head: ViewHead,
    rows: Vec<TableRow>,
    chart: Chart,
    /// The text alternative of the drawing.
    summary: String,
    /// Number of issues of all pages.
    issue_count: i64,
    /// How many issues all pages show, and how many there are, if some are left out.
    left_out: Option<(i64, i64)>,
    pager: Pager,
}

/// A row of the table.
enum TableRow {
    Project {
        name: String,
        path: String,
    },
    Version {
        name: String,
        /// The address of its page, if the viewer may open it.
        path: Option<String>,
        due: Option<String>,
    },
    Issue(IssueRow),
}

/// An issue in the table.
struct IssueRow {
    id: i64,
    subject: String,
    is_private: bool,
    stage: Stage,
    depth: usize,
    start: String,
    due: String,
    /// The same for programs; empty without one.
    start_day: String,
    due_day: String,
    is_late: bool,
    /// Whether the viewer may edit it.
    may_edit: bool,
    done: i64,
    assignee: String,
    /// Which other rows it precedes or blocks.
    relations: String,
}

/// Shows the chart.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    if let Some(reply) = redirect(request) {
        return Ok(reply);
    }
    let view = DatedView::parse(request, db)?;
    let months = Months::parse(request, view.today, DEFAULT_MONTHS)?;
    let from = months.first;
    let to = months.last_day();
    let period = DateRange {
        from,
        to,
        with_spanning: true,
    };
    let (total, issues) = view.list.load_period(db, viewer, period, MAX_LOADED)?;
    let versions = view.versions(from, to).into_iter().take(MAX_VERSIONS);
    let versions = versions.map(|(_, version)| version);
    let max = i64::try_from(issues.len()).unwrap_or(total);
    let page = request.query_param("page");
    let page = page.and_then(|page| page.trim().parse::<i64>().ok());
    // The limit in the address is that of the list.
    let offset = (page.unwrap_or(1).max(1) - 1).saturating_mul(ISSUES_PER_PAGE);
    let page = (
        usize::try_from(offset).unwrap_or(usize::MAX),
        usize::try_from(ISSUES_PER_PAGE).unwrap_or(0),
    );
    let mut rows = rows::rows(catalogue, &issues, versions, page);
    if view.project.is_some_and(|project| {
        // The only project is that of the page.
        let mut projects = rows.iter().filter(|row| matches!(row, Row::Project(_)));
        projects.all(|row| *row == Row::Project(project.id))
    }) {
        rows.retain(|row| !matches!(row, Row::Project(_)));
    }
    let relations = shown_relations(request, db, &rows)?;
    let lines: Vec<Line> = relations
        .iter()
        .map(|relation| Line {
            from: relation.from,
            to: relation.to,
            is_block: relation.kind == RelationType::Blocks,
        })
        .collect();
    let state = |issue: &Issue| {
        let is_closed = catalogue.is_closed(issue.status);
        (
            BarState::new(issue, is_closed, view.today),
            done_ratio(issue, catalogue),
        )
    };
    let context = ChartContext {
        months,
        today: view.today,
        first_weekday: view.list.context.calendar.first_weekday,
        state: &state,
    };
    let head = view.head(View::Gantt, months, true)?;
    let table = Table {
        view: &view,
        months,
        relations: relation_texts(&relations),
    };
    let page = GanttPage {
        frame: view.frame("Gantt"),
        chart: Chart::new(&rows, &lines, &context),
        summary: format!("Gantt chart, {}; the table says the same", head.period),
        issue_count: max,
        left_out: (max < total).then_some((max, total)),
        pager: Pager::for_list(request, offset, ISSUES_PER_PAGE, max),
        rows: rows.iter().map(|row| table.row(row, &state)).collect(),
        head,
    };
    Ok(view.with_status(render(&page.frame, &page)?))
}

/// Returns the relations that put shown issues into an order.
fn shown_relations(
    request: &RequestContext,
    db: &Read<'_>,
    rows: &[Row<'_>],
) -> Result<Vec<Relation>, Error> {
    let ids: HashSet<IssueId> = rows
        .iter()
        .filter_map(|row| match row {
            Row::Issue { issue, .. } => Some(issue.id),
            _ => None,
        })
        .collect();
    let all: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let mut relations = relations::list_visible(db, request.viewer(), &all)?;
    relations.retain(|relation| {
        matches!(relation.kind, RelationType::Precedes | RelationType::Blocks)
            && ids.contains(&relation.from)
            && ids.contains(&relation.to)
    });
    Ok(relations)
}

/// Returns for each issue in words what it precedes and blocks.
fn relation_texts(relations: &[Relation]) -> HashMap<IssueId, String> {
    let mut texts: HashMap<IssueId, String> = HashMap::new();
    for relation in relations {
        let verb = match relation.kind {
            RelationType::Blocks => "blocks",
            _ => "precedes",
        };
        let text = texts.entry(relation.from).or_default();
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&format!("{verb} #{}", relation.to));
    }
    texts
}

/// What the table is made from.
struct Table<'a> {
    view: &'a DatedView<'a>,
    months: Months,
    relations: HashMap<IssueId, String>,
}

impl Table<'_> {
    fn row(&self, row: &Row<'_>, state: &dyn Fn(&Issue) -> (BarState, i64)) -> TableRow {
        let catalogue = self.view.db.catalogue();
        match row {
            Row::Project(id) => TableRow::Project {
                name: catalogue.project_name(*id).to_owned(),
                path: paths::below_project(catalogue, *id, ""),
            },
            Row::Version(version) => TableRow::Version {
                name: version.name.clone(),
                path: self
                    .view
                    .request
                    .viewer()
                    .may(Permission::ViewIssues, version.project)
                    .then(|| paths::version(version.id)),
                due: version.due_date.map(|due| self.date(Some(due))),
            },
            Row::Issue { issue, depth, .. } => {
                let (state, done) = state(issue);
                let assignee = issue.assignee.and_then(|id| catalogue.principal_name(id));
                TableRow::Issue(IssueRow {
                    id: issue.id.0,
                    subject: issue.subject.clone(),
                    is_private: issue.private,
                    stage: Stage::of(catalogue, issue.status),
                    depth: (*depth).min(MAX_DEPTH),
                    start: self.date(issue.start_date),
                    due: self.date(issue.due_date),
                    start_day: iso(issue.start_date),
                    due_day: iso(issue.due_date),
                    is_late: state.is_late(),
                    may_edit: may_edit(self.view.request.viewer(), issue),
                    done,
                    assignee: assignee.unwrap_or_default().to_owned(),
                    relations: self.relations.get(&issue.id).cloned().unwrap_or_default(),
                })
            }
        }
    }

    /// Returns a date, with its year unless all shown months are of that year.
    fn date(&self, date: Option<Date>) -> String {
        let years = (self.months.first.year(), self.months.last_day().year());
        date.map_or_else(String::new, |date| {
            let is_known = years == (date.year(), date.year());
            let format = if is_known { "%-d %b" } else { "%-d %b %y" };
            date.strftime(format).to_string()
        })
    }
}

/// Returns a date for programs; empty without one.
fn iso(date: Option<Date>) -> String {
    date.map_or_else(String::new, |date| date.to_string())
}
