//! `GET /issues`, `GET /projects/:id/issues`: the issues that the query string of the API and a
//! saved query describe. The forms of the page are sent to the same address, and lead on to the one
//! that says the same in the parameters of the API.

mod bulk_bar;
mod cell_context;
mod cell_texts;
mod cells;
mod chips;
mod columns;
mod csv;
mod display;
mod feed;
mod filter_box;
mod filter_choices;
mod filter_form;
mod filter_names;
mod form_submission;
mod groups;
mod last_list;
mod operators;
mod rank;
mod totals;

pub use chips::ListFilters;
pub use csv::csv;
pub use feed::atom;
pub use filter_box::{FilterBox, redirect};
pub use filter_choices::FilterChoices;
pub use filter_names::FilterNames;
pub use rank::save as rank;

use crate::access;
use crate::components::pager::Pager;
use crate::components::tabs::Tab;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab};
use crate::issues::views::View;
use crate::prelude::*;
use crate::queries::{BASED_ON, ListAddress, QueryMenu, list_path};
use axum::http::StatusCode;
use bulk_bar::BulkBar;
use cell_context::CellContext;
use cells::Cell;
use columns::ListColumn;
use display::{Display, DisplayForm};
use filter_form::{Control, FieldGroup, FilterForm, FilterForms, field_groups};
use form_submission::{FormSubmission, parse as parse_submission};
use groups::{Group, Grouping};
use last_list::{LastList, WITHOUT_FILTERS};
use quarry_actions::queries;
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::QueryId;
use quarry_domain::query::columns::Column;
use quarry_domain::query::issues::TEXT_FILTER;
use quarry_domain::query::saved::{QueryKind, SavedQuery};
use quarry_http::resources::issue_list::IssueList;
use quarry_http::resources::search::find_issue_by_id;
use quarry_store as store;
use rank::RankForms;
use totals::Total;

#[derive(Template)]
#[template(path = "issues/list.html")]
struct IssueListPage {
    frame: Frame,
    total: i64,
    /// The path of the list.
    path: String,
    /// The address of the form for a new issue, if the viewer may add one.
    new_path: Option<String>,
    queries: QueryMenu,
    tabs: Vec<Tab>,
    filter_box: FilterBox,
    /// Whether the address has more than the list needs without filters.
    is_changed: bool,
    /// Whether it shows something that a query can keep.
    may_be_saved: bool,
    /// The parameters of the list, for the hidden fields of the forms.
    hidden: Vec<(String, String)>,
    /// The views of the same issues.
    views: Vec<Tab>,
    field_groups: Vec<FieldGroup>,
    filter_form: Option<FilterForm>,
    display: DisplayForm,
    totals: Vec<Total>,
    columns: Vec<ListColumn>,
    /// Whether the groups have headings.
    is_grouped: bool,
    groups: Vec<Group>,
    /// The cells of each issue, each with the class that leaves it out on narrow screens.
    rows: Vec<Vec<(Cell, &'static str)>>,
    /// What can be done with selected issues; `None` if rows cannot be selected.
    bulk: Option<BulkBar>,
    /// The forms that move issues; `None` if they cannot be moved.
    rank: Option<RankForms>,
    /// Whether the viewer may log time somewhere.
    may_log_time: bool,
    /// The address of the list without filters.
    reset_path: String,
    /// Number of issues that an export has.
    export_limit: i64,
    pager: Pager,
    range: String,
    /// The addresses of the list in other formats, without suffix, and their query string.
    exports: Vec<(&'static str, String)>,
}

impl IssueListPage {
    fn rows_of(&self, group: &Group) -> &[Vec<(Cell, &'static str)>] {
        &self.rows[group.rows.clone()]
    }

    /// Returns the issue of a row, of which the first cell has the id.
    fn issue_of(&self, row: &[(Cell, &str)]) -> i64 {
        match row.first() {
            Some((Cell::Id(id), _)) => *id,
            _ => 0,
        }
    }
}

/// Lists the matching issues that the viewer may see. Without parameters, the list of a project
/// leads to what it showed last; where that is nothing, every list leads to the default query of
/// the viewer, or else of the project.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    if request.path_param("id").is_empty() {
        if request.query.entries().is_empty()
            && let Some(query) = queries::find_user_default(db, viewer, None)?
        {
            return Ok(Reply::redirect(format!("/issues?query_id={}", query.id)));
        }
        return show(request, db, None);
    }
    let project = access::project(request, catalogue, Permission::ViewIssues)?;
    let path = list_path(catalogue, Some(project.id));
    let remembered = LastList::new(request, &path);
    if request.query.entries().is_empty() {
        if let Some(query_string) = remembered.query_string() {
            return Ok(Reply::redirect(format!("{path}{query_string}")));
        }
        let own = queries::find_user_default(db, viewer, Some(project.id))?;
        let default = match own {
            Some(query) => Some(query),
            None => queries::find_project_default(db, viewer, project)?,
        };
        if let Some(query) = default {
            return Ok(Reply::redirect(format!("{path}?query_id={}", query.id)));
        }
    }
    remembered.recover(show(request, db, Some(project)))
}

fn show(
    request: &RequestContext,
    db: &Read<'_>,
    project: Option<&Project>,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let path = list_path(catalogue, project.map(|project| project.id));
    if let Some(text) = request.query_param(TEXT_FILTER)
        && let Some(issue) = find_issue_by_id(request, db, &text)?
    {
        return Ok(Reply::redirect(paths::issue(issue)));
    }
    let (list, text_error) = access::found(request, IssueList::parse_for_page(request, db))?;
    let text_error = match text_error {
        Some(error) if LastList::new(request, &path).is_requested() => return Err(error),
        text_error => text_error,
    };
    let address = ListAddress::new(request);
    let based_on = based_on(request, db, &list)?;
    let filters = ListFilters::new(request, catalogue, &list, &address, based_on.as_ref())?;
    let display = Display {
        request,
        catalogue,
        list: &list,
        address: &address,
        has_projects: project.is_none(),
    };
    let sent = parse_submission(request, &list, &filters, &display);
    if let FormSubmission::Target(target) = sent {
        return Ok(Reply::redirect(format!("{path}{target}")));
    }
    let forms = FilterForms {
        request,
        catalogue,
        list: &list,
        address: &address,
    };
    let (filter_form, status) = match sent {
        FormSubmission::InvalidFilter(filter, error) => (
            forms.refused(&filter, error),
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        _ => (
            forms.requested(&filters.in_use),
            text_error.as_ref().map_or(StatusCode::OK, Error::status),
        ),
    };
    let filter_box = FilterBox::new(path.clone(), project, &list, &filters, text_error.as_ref())
        .with_reset(&address, &format!("{path}{WITHOUT_FILTERS}"));
    let page = Page {
        request,
        db,
        project,
        list: &list,
        address: &address,
    };
    let display = display.form();
    let page = page.load(path, filters.tabs, filter_box, based_on.as_ref(), display)?;
    let page = IssueListPage {
        filter_form,
        ..page
    };
    let reply = render(&page.frame, &page)?;
    if status != StatusCode::OK {
        return Ok(reply.with_status(status));
    }
    Ok(match project {
        Some(_) => LastList::new(request, &page.path).keep(reply, &address),
        None => reply,
    })
}

/// Returns the saved query from which the filters of the address come, if the viewer may use it.
pub fn based_on(
    request: &RequestContext,
    db: &Read<'_>,
    list: &IssueList,
) -> Result<Option<SavedQuery>, Error> {
    let id = request.query_param(BASED_ON);
    let id = id.and_then(|id| id.trim().parse().ok()).map(QueryId);
    let Some(id) = id.filter(|_| list.saved.is_none()) else {
        return Ok(None);
    };
    let query = store::lists::queries::find(db, QueryKind::Issues, id)?;
    Ok(query.filter(|query| query.is_usable_by(request.viewer(), list.project)))
}

/// What a page is made from.
struct Page<'a> {
    request: &'a RequestContext,
    db: &'a Read<'a>,
    project: Option<&'a Project>,
    list: &'a IssueList,
    address: &'a ListAddress,
}

impl Page<'_> {
    fn load(
        &self,
        path: String,
        tabs: Vec<Tab>,
        filter_box: FilterBox,
        based_on: Option<&SavedQuery>,
        display: DisplayForm,
    ) -> Result<IssueListPage, Error> {
        let Page {
            request,
            db,
            project,
            list,
            address,
        } = *self;
        let catalogue = db.catalogue();
        let viewer = request.viewer();
        let (total, issues) = list.load(db, viewer)?;
        let mut frame = Frame::new(request, db, "Issues");
        if let Some(project) = project {
            frame.title = format!("Issues · {}", project.name);
            frame = frame.in_project(db, viewer, project, Some(ProjectTab::Issues));
        }
        let summed = totals::summed(request, catalogue, list);
        let columns = columns::columns(request, catalogue, list, address, project.is_none());
        let loaded: Vec<Column> = columns
            .iter()
            .map(|column| column.column)
            .chain(list.group)
            .collect();
        let cells = CellContext::load(db, viewer, &issues, &loaded)?;
        let groups = match list.group {
            Some(column) => Grouping {
                list,
                column,
                total,
                viewer,
                zone: &frame.zone,
                cells: &cells,
                totals: &summed,
            }
            .groups(db, &issues)?,
            None => vec![Group {
                label: String::new(),
                count: None,
                sums: Vec::new(),
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
        Ok(IssueListPage {
            exports: ["csv", "atom", "json", "ndjson"]
                .into_iter()
                .map(|suffix| {
                    let address = in_zone_of_page(address, list, suffix);
                    (suffix, format!("{path}.{suffix}{}", address.for_export()))
                })
                .collect(),
            total,
            new_path: new_path(request, project),
            tabs,
            filter_box,
            is_changed: !address.is_plain(),
            may_be_saved: address.changes_query(),
            hidden: address.hidden_fields(),
            views: View::List.bar(&path, |_| address.for_view()),
            field_groups: field_groups(list),
            filter_form: None,
            display,
            totals: totals::totals(request, db, list, &summed)?,
            queries: QueryMenu::load(request, db, list, address, based_on)?,
            columns,
            is_grouped: list.group.is_some(),
            bulk: BulkBar::new(request, project, address, (total, issues.len())),
            rank: RankForms::new((request, catalogue), (list, address), (total, &issues)),
            may_log_time: viewer.may_somewhere(Permission::LogTime),
            reset_path: format!("{path}{WITHOUT_FILTERS}"),
            export_limit: catalogue
                .integer_setting(Setting::IssuesExportLimit)
                .min(total),
            path,
            range: range(list.pagination.offset, issues.len(), total),
            groups,
            rows,
            pager: Pager::new(
                list.pagination.offset,
                list.pagination.limit,
                total,
                |page| {
                    address.with(&[
                        ("page", Some(page.to_string().as_str()).filter(|_| page > 1)),
                        ("offset", None),
                    ])
                },
            ),
            frame,
        })
    }
}

/// Returns the address of an export in which the days of a text are those of the page. The formats
/// of the API have them in UTC otherwise.
fn in_zone_of_page(address: &ListAddress, list: &IssueList, suffix: &str) -> ListAddress {
    let is_of_api = matches!(suffix, "json" | "ndjson");
    let zone = list.context.calendar.zone.iana_name();
    match zone.filter(|_| is_of_api && !list.texts.is_empty() && !address.has("tz")) {
        Some(zone) => address.clone().set_text("tz", Some(zone)),
        None => address.clone(),
    }
}

/// Returns which part of the list a page shows, such as "26–50 of 121".
fn range(offset: i64, count: usize, total: i64) -> String {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    match count {
        0 => String::new(),
        _ => format!("{}–{} of {total}", offset + 1, offset.saturating_add(count)),
    }
}

/// Returns the address of the form for a new issue, if the viewer may add one.
pub fn new_path(request: &RequestContext, project: Option<&Project>) -> Option<String> {
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
