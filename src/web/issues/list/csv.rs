//! `GET /issues.csv`: the list as a table for spreadsheets.

use super::cell_context::CellContext;
use super::cells::Cell;
use super::columns;
use crate::access;
use crate::csv::CsvTable;
use crate::prelude::*;
use jiff::tz::TimeZone;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::time_zone;
use quarry_domain::query::columns as known;
use quarry_domain::query::columns::Column;
use quarry_http::resources::issue_list::IssueList;

/// Returns the issues of the list that the viewer may see, at most as many as an export may have.
///
/// `columns=all` writes all columns.
pub fn csv(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let in_project = !request.path_param("id").is_empty();
    if in_project {
        access::project(request, catalogue, Permission::ViewIssues)?;
    }
    let list = access::found(request, IssueList::parse(request, db))?;
    let limit = catalogue.integer_setting(Setting::IssuesExportLimit);
    let issues = list.load_first(db, viewer, limit)?;
    let param = |name: &str| request.query_param(name).unwrap_or_default();
    let columns: Vec<Column> = if param("columns") == "all" {
        known::all(catalogue, viewer)
    } else {
        let names = columns::names(request, catalogue, &list, !in_project);
        let columns = names.iter();
        columns
            .filter_map(|name| Column::parse(catalogue, viewer, name))
            .collect()
    };
    let context = CellContext::load(db, viewer, &issues, &columns)?;
    let zone = time_zone::for_user(catalogue, viewer.user);
    let labels = columns.iter().map(|column| column.label(catalogue));
    let mut table = CsvTable::new(request, labels)?;
    for issue in &issues {
        let cells = columns
            .iter()
            .map(|column| cell_text(&context, issue, *column, &zone));
        table.push_row(cells);
    }
    Ok(table.reply("issues.csv").with_warning(list.warning))
}

/// Returns the text of a cell: days and times as spreadsheets read them, long texts in full.
fn cell_text(context: &CellContext<'_>, issue: &Issue, column: Column, zone: &TimeZone) -> String {
    // The cells have the beginning of the text, and rounded hours.
    match column {
        Column::Description => return issue.description.clone().unwrap_or_default(),
        Column::EstimatedHours => {
            let hours = issue.estimated_hours;
            return hours.map(|hours| hours.to_string()).unwrap_or_default();
        }
        _ => {}
    }
    match context.cell(issue, column) {
        Cell::Day(day) => day.to_string(),
        Cell::Moment(moment) => {
            let local = moment.text.timestamp.to_zoned(zone.clone());
            local.strftime("%Y-%m-%d %H:%M").to_string()
        }
        Cell::Number(text) => without_unit(&text).to_owned(),
        cell => cell.into_text(),
    }
}

/// Returns an amount without its unit, so that spreadsheets can calculate with it.
fn without_unit(text: &str) -> &str {
    let number = text.strip_suffix(" h").or_else(|| text.strip_suffix(" %"));
    number.unwrap_or(text)
}
