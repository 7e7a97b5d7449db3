//! `GET /time_entries/report`, `GET /projects/:id/time_entries/report`: the hours of a list by up to
//! three criteria, and by period.

use super::filters::{Filters, without_empty_fields};
use super::hours_chart::HoursChart;
use super::periods::Periods;
use super::report_names::{ReportNames, list_address};
use super::report_params::{NAMES, ReportParams, plural};
use super::report_table::{ReportRow, ReportTable};
use super::tabs::{TimeTab, tabs};
use super::time_entry_pages;
use crate::components::list_page::Link;
use crate::components::tabs::Tab;
use crate::csv::CsvTable;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use crate::queries::ListAddress;
use axum::http::StatusCode;
use quarry_domain::administration::setting::Setting;
use quarry_domain::issues::time_entry::round;
use quarry_domain::query::time_report::ReportCriterion;
use quarry_http::resources::time_entry_list::TimeEntryList;
use quarry_store::issues::time_reports::HoursGroup;

/// Maximum number of groups that a report reads.
const MAX_GROUPS: i64 = 20_000;
/// Maximum number of rows of the page.
const MAX_ROWS: usize = 300;
/// Maximum number of periods of the page.
const MAX_PERIODS: usize = 36;
/// Maximum number of periods of the table for spreadsheets.
const MAX_EXPORTED_PERIODS: usize = 400;
/// Maximum length of the parameters that each row repeats in a link.
const MAX_ADDRESS: usize = 300;

#[derive(Template)]
#[template(path = "issues/time_entries/report.html")]
struct ReportPage {
    frame: Frame,
    /// The address of the report without parameters.
    action: String,
    tabs: Vec<Tab>,
    filters: Filters,
    /// What the report groups by, for the heading of the first column.
    criteria: String,
    /// The labels of the shown periods.
    periods: Vec<String>,
    rows: Vec<Row>,
    /// The sum of each shown period.
    sums: Vec<String>,
    total: String,
    chart: Option<HoursChart>,
    /// What is not shown.
    notes: Vec<String>,
    new_path: Option<String>,
    /// The address of the report as a table.
    csv: String,
}

/// A row.
struct Row {
    /// How many rows it is below.
    depth: usize,
    name: Link,
    cells: Vec<String>,
    total: String,
    /// The address of the list of its time entries; empty for none.
    list: String,
    /// Its share of the hours of the report, of 100.
    percent: i64,
}

/// Shows the report of the time entries that the viewer may see. Invalid parameters are shown with
/// what is wrong: 422.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = time_entry_pages::project(request, catalogue)?;
    let action = format!("{}/report", time_entry_pages::list_path(project));
    if let Some(address) = without_empty_fields(request, &action) {
        return Ok(Reply::redirect(address));
    }
    match parse_report(request, db, project) {
        Ok((params, list)) => {
            let groups = list.report(
                db,
                request.viewer(),
                &params.criteria,
                params.period,
                MAX_GROUPS + 1,
            )?;
            let filters = Filters::new(request, catalogue, project, Some(&list))?;
            let page = page(request, db, project, (params, filters), &groups)?;
            let page = if is_too_large(&groups) {
                ReportPage {
                    total: round(list.hours(db, request.viewer())?).to_string(),
                    ..page
                }
            } else {
                page
            };
            render(&page.frame, &page)
        }
        Err(Error::Invalid(errors)) => {
            let params = ReportParams::parse(request, project.is_some());
            let params = params.unwrap_or_else(|_| ReportParams::fallback(project.is_some()));
            let filters = Filters::new(request, catalogue, project, None)?.with_errors(errors);
            let page = page(request, db, project, (params, filters), &[])?;
            let reply = render(&page.frame, &page)?;
            Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
        }
        Err(error) => Err(error),
    }
}

/// `GET /time_entries/report.csv`: the report as a table, without the sums of groups of rows.
pub fn csv(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = time_entry_pages::project(request, catalogue)?;
    let (params, list) = parse_report(request, db, project)?;
    let ReportParams { criteria, period } = params;
    let groups = list.report(db, viewer, &criteria, period, MAX_GROUPS + 1)?;
    if is_too_large(&groups) {
        return Err(Error::Invalid(ValidationErrors::from_iter([too_large()])));
    }
    let days = groups.iter().map(|group| group.period);
    let periods = Periods::new(period, days, MAX_EXPORTED_PERIODS);
    let limit = catalogue.integer_setting(Setting::IssuesExportLimit);
    let limit = usize::try_from(limit).unwrap_or(MAX_ROWS);
    let table = ReportTable::new(&groups, &criteria, periods, limit, true);
    if table.row_count > limit || table.periods.is_cut {
        let message = format!(
            "The table would have more than {limit} rows or {MAX_EXPORTED_PERIODS} periods. Choose fewer criteria, longer periods, or a shorter time span"
        );
        return Err(Error::Invalid(ValidationErrors::from_iter([message])));
    }
    let names = ReportNames::load(db, viewer, &table.rows, has_projects(db, project))?;
    let labels = criteria
        .iter()
        .map(|criterion| criterion.label().to_owned());
    let header = labels.chain(table.periods.names());
    let mut written = CsvTable::new(request, header.chain(["Total".to_owned()]))?;
    let number = |value: &f64| round(*value).to_string();
    for row in &table.rows {
        let values = row
            .values
            .iter()
            .map(|(criterion, value)| names.name(*criterion, *value));
        let sums = row.cells.iter().chain([&row.total]).map(number);
        written.push_row(values.chain(sums));
    }
    let first = criteria.iter().enumerate().map(|(index, _)| match index {
        0 => "Total".to_owned(),
        _ => String::new(),
    });
    let sums = table.sums.iter().chain([&table.total]).map(number);
    written.push_row(first.chain(sums));
    Ok(written.reply("time_report.csv"))
}

fn parse_report(
    request: &RequestContext,
    db: &Read<'_>,
    project: Option<&Project>,
) -> Result<(ReportParams, TimeEntryList), Error> {
    let list = time_entry_pages::parse_list(request, db, &NAMES)?;
    let params = ReportParams::parse(request, project.is_some()).map_err(Error::Invalid)?;
    Ok((params, list))
}

fn is_too_large(groups: &[HoursGroup]) -> bool {
    i64::try_from(groups.len()).is_ok_and(|count| count > MAX_GROUPS)
}

fn too_large() -> String {
    format!(
        "The report would have more than {MAX_GROUPS} sums. Choose fewer criteria, longer periods, or a shorter time span"
    )
}

/// Whether a list of this project, or of all, has several projects.
fn has_projects(db: &Read<'_>, project: Option<&Project>) -> bool {
    project.is_none_or(|project| db.catalogue().subtree(project.id).len() > 1)
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    project: Option<&Project>,
    (params, filters): (ReportParams, Filters),
    groups: &[HoursGroup],
) -> Result<ReportPage, Error> {
    let list_path = time_entry_pages::list_path(project);
    let action = format!("{list_path}/report");
    let export = ListAddress::new(request).for_export();
    let is_too_large = is_too_large(groups);
    let groups = if is_too_large { &[] } else { groups };
    let days = groups.iter().map(|group| group.period);
    let periods = Periods::new(params.period, days, MAX_PERIODS);
    let table = ReportTable::new(groups, &params.criteria, periods, MAX_ROWS, false);
    let names = ReportNames::load(db, request.viewer(), &table.rows, has_projects(db, project))?;
    let address = (export.len() <= MAX_ADDRESS).then(|| {
        let unlisted = ["criteria", "columns", "page", "offset", "sort", "limit"];
        unlisted
            .into_iter()
            .fold(ListAddress::new(request), |address, name| {
                address.set(name, None)
            })
    });
    let rows = table.rows.iter().map(|row| {
        let has_list = |criterion| project.is_some() || criterion != ReportCriterion::Category;
        let mut criteria = row.values.iter().map(|(criterion, _)| *criterion);
        let address = address.as_ref().filter(|_| criteria.all(has_list));
        let list = address
            .map(|address| format!("{list_path}{}", list_address(address, row).for_export()));
        page_row(row, &names, list.unwrap_or_default(), table.total)
    });
    let mut notes = Vec::new();
    if is_too_large {
        notes.push(format!("{}.", too_large()));
    }
    if table.row_count > table.rows.len() {
        notes.push(format!(
            "These are the first {} of {} rows. The sums are those of all.",
            table.rows.len(),
            table.row_count
        ));
    }
    if table.periods.is_cut {
        notes.push(format!(
            "The columns are the last {MAX_PERIODS} {}. The totals include earlier ones.",
            plural(params.period)
        ));
    }
    let mut frame = time_entry_pages::frame(request, db, project, "Report of spent time");
    filters.mark_title(&mut frame.title);
    let labels: Vec<&str> = params
        .criteria
        .iter()
        .map(|criterion| criterion.label())
        .collect();
    Ok(ReportPage {
        frame,
        tabs: tabs(request, &list_path, TimeTab::Report),
        filters: filters.with_others(params.fields()),
        criteria: labels.join(", "),
        periods: table.periods.labels(),
        rows: rows.collect(),
        sums: table.sums.iter().map(cell).collect(),
        total: round(table.total).to_string(),
        chart: HoursChart::new(&table.sums, &table.periods.labels(), plural(params.period)),
        notes,
        new_path: time_entry_pages::new_path(request, project),
        csv: format!("{action}.csv{export}"),
        action,
    })
}

fn page_row(row: &ReportRow, names: &ReportNames<'_>, list: String, total: f64) -> Row {
    let (name, path) = row
        .values
        .last()
        .map_or_else(Default::default, |(criterion, value)| {
            let path = names.path(*criterion, *value);
            (names.name(*criterion, *value), path.unwrap_or_default())
        });
    Row {
        depth: row.values.len().saturating_sub(1),
        name: Link::new(name, path),
        cells: row.cells.iter().map(cell).collect(),
        total: round(row.total).to_string(),
        list,
        percent: if total > 0.0 {
            (row.total * 100.0 / total).round() as i64
        } else {
            0
        },
    }
}

/// Returns the hours of a cell; empty for none.
fn cell(hours: &f64) -> String {
    if round(*hours) == 0.0 {
        String::new()
    } else {
        round(*hours).to_string()
    }
}
