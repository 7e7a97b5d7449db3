//! `GET /time_entries`, `GET /projects/:id/time_entries`: the time entries that the query string of
//! the API describes, with the sum of their hours.

use super::filters::{Filters, without_empty_fields};
use super::rows::{Row, RowContext};
use super::tabs::{TimeTab, tabs};
use super::time_entry_pages;
use crate::components::pager::Pager;
use crate::components::tabs::Tab;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use crate::queries::ListAddress;
use axum::http::StatusCode;
use quarry_domain::query::time_entries::Column;
use quarry_http::resources::sentences::hours;
use quarry_http::resources::time_entry_list::TimeEntryList;

/// Maximum length of the address to which the form of an entry leads back: each row has it.
const MAX_BACK: usize = 300;

/// The columns by which the page sorts: name, label, and whether the largest value comes first.
const COLUMNS: [(Column, &str, &str, bool); 5] = [
    (Column::SpentOn, "spent_on", "Date", true),
    (Column::User, "user", "Person", false),
    (Column::Activity, "activity", "Activity", false),
    (Column::Issue, "issue", "Issue", false),
    (Column::Hours, "hours", "Hours", true),
];

#[derive(Template)]
#[template(path = "issues/time_entries/list.html")]
struct TimeEntryListPage {
    frame: Frame,
    /// The address without parameters.
    path: String,
    tabs: Vec<Tab>,
    filters: Filters,
    total: i64,
    hours: String,
    columns: Vec<ListColumn>,
    rows: Vec<Row>,
    pager: Pager,
    /// The address of the form for a new time entry, if the viewer may log time.
    new_path: Option<String>,
    /// The addresses of the list in other formats.
    exports: [(&'static str, String); 3],
}

/// A column by which the list can be sorted.
struct ListColumn {
    label: &'static str,
    path: String,
    /// The direction if the list is sorted by it.
    descending: Option<bool>,
    is_number: bool,
}

/// Lists the matching time entries that the viewer may see. Invalid filters are shown with what is
/// wrong: 422.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = time_entry_pages::project(request, catalogue)?;
    let path = time_entry_pages::list_path(project);
    if let Some(address) = without_empty_fields(request, &path) {
        return Ok(Reply::redirect(address));
    }
    let list = match time_entry_pages::parse_list(request, db, &[]) {
        Ok(list) => list,
        Err(Error::Invalid(errors)) => {
            let filters = Filters::new(request, catalogue, project, None)?.with_errors(errors);
            let page = page(request, db, project, path, (None, filters))?;
            let reply = render(&page.frame, &page)?;
            return Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY));
        }
        Err(error) => return Err(error),
    };
    let filters = Filters::new(request, catalogue, project, Some(&list))?;
    let page = page(request, db, project, path, (Some(&list), filters))?;
    render(&page.frame, &page)
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    project: Option<&Project>,
    path: String,
    (list, filters): (Option<&TimeEntryList>, Filters),
) -> Result<TimeEntryListPage, Error> {
    let viewer = request.viewer();
    let (total, entries) = match list {
        Some(list) => list.load(db, viewer)?,
        None => (0, Vec::new()),
    };
    let sum = match list {
        Some(list) if total > 0 => list.hours(db, viewer)?,
        _ => 0.0,
    };
    let mut frame = time_entry_pages::frame(request, db, project, "Spent time");
    filters.mark_title(&mut frame.title);
    let context = RowContext::load(db, viewer, &entries)?;
    let export = ListAddress::new(request).for_export();
    let back = if export.len() > MAX_BACK {
        String::new()
    } else {
        format!("?back_url={}", paths::encode(&format!("{path}{export}")))
    };
    let has_projects = project.is_none_or(|project| db.catalogue().subtree(project.id).len() > 1);
    let pagination = list.map(|list| list.pagination);
    let (offset, limit) = pagination.map_or((0, 1), |page| (page.offset, page.limit));
    Ok(TimeEntryListPage {
        frame,
        tabs: tabs(request, &path, TimeTab::Entries),
        total,
        hours: hours(sum),
        columns: columns(request, list),
        rows: entries
            .iter()
            .map(|entry| context.row(entry, has_projects, &back))
            .collect(),
        pager: Pager::for_list(request, offset, limit, total),
        new_path: time_entry_pages::new_path(request, project),
        exports: ["csv", "atom", "json"].map(|suffix| (suffix, format!("{path}.{suffix}{export}"))),
        filters,
        path,
    })
}

fn columns(request: &RequestContext, list: Option<&TimeEntryList>) -> Vec<ListColumn> {
    let address = ListAddress::new(request);
    let first = list.and_then(|list| list.order.first());
    let columns = COLUMNS.iter();
    columns
        .map(|(column, name, label, starts_descending)| {
            let descending = first
                .filter(|criterion| criterion.column == *column)
                .map(|criterion| criterion.descending);
            let next = match descending {
                Some(true) => (*name).to_owned(),
                None if !starts_descending => (*name).to_owned(),
                _ => format!("{name}:desc"),
            };
            ListColumn {
                label,
                path: address.with(&[("sort", Some(&next)), ("page", None), ("offset", None)]),
                descending,
                is_number: *column == Column::Hours,
            }
        })
        .collect()
}
