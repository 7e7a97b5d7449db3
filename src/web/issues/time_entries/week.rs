//! `/time_entries/week`: the own week as a table to type into.

use super::rows::{RowContext, issue_label};
use super::tabs::{TimeTab, tabs};
use super::time_entry_pages::{LIST, WEEK};
use super::week_form::{DAY, ROWS, cell_id, cell_names, parse_week, typed_cell};
use super::week_rows::{DAYS, RowKey, rows};
use crate::components::error_summary::ErrorSummary;
use crate::components::form_field::Choice;
use crate::components::form_field::choice;
use crate::components::form_field::sort_by_label;
use crate::components::list_page::Link;
use crate::components::tabs::Tab;
use crate::form::save;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use jiff::Span;
use jiff::civil::Date;
use quarry_actions::issues::time_entries;
use quarry_domain::access::visibility;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::administration::{time_zone, week_start};
use quarry_domain::issues::time_entry::{TimeEntry, round};
use quarry_domain::values::text::date;
use quarry_http::resources::sentences::hours;
use quarry_store::issues::time_entries as store;
use std::ops::RangeInclusive;

/// Maximum number of time entries of a week.
const MAX_ENTRIES: i64 = 1_000;
/// Maximum number of rows.
const MAX_ROWS: usize = 60;
/// Number of rows for other issues and projects.
const NEW_ROWS: usize = 2;
/// The years that the links lead to.
const YEARS: RangeInclusive<i16> = 1900..=2999;

#[derive(Template)]
#[template(path = "issues/time_entries/week.html")]
struct WeekPage {
    frame: Frame,
    tabs: Vec<Tab>,
    errors: ErrorSummary,
    /// The first day, as forms have it.
    day: String,
    period: String,
    previous: Option<String>,
    next: Option<String>,
    days: Vec<String>,
    rows: Vec<WeekRow>,
    new_rows: Vec<NewRow>,
    projects: Vec<Choice>,
    activities: Vec<Choice>,
    /// Whether time without an activity gets a default one.
    has_default: bool,
    totals: Vec<String>,
    total: String,
    is_cut: bool,
}

struct WeekRow {
    project: Option<Link>,
    issue: Option<Link>,
    activity: String,
    cells: Vec<WeekCell>,
    total: String,
}

struct WeekCell {
    /// The day, for narrow screens.
    day: String,
    /// The id and the name of its field; `None` if it cannot be changed here.
    name: Option<String>,
    label: String,
    value: String,
    /// The name of the field with what was shown, and that.
    shown_name: String,
    shown: String,
    /// The address of several time entries of one day.
    path: Option<String>,
    is_invalid: bool,
}

/// A row without time entries.
struct NewRow {
    name: String,
    label: String,
    issue: String,
    project: String,
    activity: String,
    cells: Vec<WeekCell>,
}

/// `GET`: the week with the day of the query string; this week without one.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: saves the cells in which somebody typed.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let first = request
        .app
        .read(|db| first_day(request, db, &request.body))?;
    let changes = request
        .app
        .read(|db| parse_week(request, db.catalogue(), first));
    save(
        request,
        || {
            let changes = changes?;
            request.write(move |db, viewer| time_entries::week::save(db, viewer, &changes))
        },
        |count| {
            let message = match count {
                0 => "Nothing was changed.".to_owned(),
                1 => "One cell was saved.".to_owned(),
                count => format!("{count} cells were saved."),
            };
            Ok((format!("{WEEK}?{DAY}={first}"), message))
        },
        |db, errors| page(request, db, &request.body, errors),
    )
}

/// Returns the first day of the week.
fn first_day(request: &RequestContext, db: &Read<'_>, sent: &Input) -> Result<Date, Error> {
    let catalogue = db.catalogue();
    let user = request.viewer().user;
    let text = sent.get(DAY).and_then(Input::as_text).unwrap_or_default();
    let day = if text.is_empty() {
        time_zone::date_for_user(catalogue, user, db.now())
    } else {
        text.parse::<Date>()
            .ok()
            // Weeks at the ends of the range begin or end outside it.
            .filter(|day| (YEARS.start() - 1..=YEARS.end() + 1).contains(&day.year()))
            .ok_or_else(|| Error::invalid("day must be a date such as 2026-11-25"))?
    };
    let weekday = week_start::for_user(catalogue, user);
    let days = day.weekday().since(weekday);
    Ok(shifted(day, -i64::from(days)))
}

fn shifted(day: Date, days: i64) -> Date {
    day.saturating_add(Span::new().days(days))
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let user = request.require_user()?;
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    if !viewer.may_somewhere(Permission::LogTime) {
        return Err(Error::Forbidden);
    }
    let first = first_day(request, db, sent)?;
    let last = shifted(first, 6);
    // Those of the week before are offered again.
    let visible = visibility::time_entries(viewer);
    let load = |days| store::list_by_day(db, visible, user, days, MAX_ENTRIES + 1);
    let mut entries = load((first, last))?;
    if i64::try_from(entries.len()).is_ok_and(|count| count > MAX_ENTRIES) {
        return Err(Error::invalid(format!(
            "day must be of a week with at most {MAX_ENTRIES} time entries; use the list"
        )));
    }
    entries.extend(load((shifted(first, -7), shifted(first, -1)))?);
    entries.extend(sent_rows(request, catalogue, sent, shifted(first, -7)));
    let context = RowContext::load(db, viewer, &entries)?;
    let by_row = rows(entries, first, |issue| context.issue_by_id(issue).is_some());
    let is_cut = by_row.len() > MAX_ROWS;
    let mut totals = [0.0; DAYS];
    for days in by_row.values() {
        for (total, entries) in totals.iter_mut().zip(days) {
            *total += sum(entries);
        }
    }
    let (this_week, before): (Vec<_>, Vec<_>) = by_row
        .into_iter()
        .partition(|(_, days)| days.iter().any(|entries| !entries.is_empty()));
    let mut week_rows = Vec::new();
    for (key, days) in this_week.into_iter().chain(before).take(MAX_ROWS) {
        week_rows.push(week_row(
            request,
            &context,
            (key, &days),
            first,
            sent,
            &errors,
        ));
    }
    let day_labels: Vec<String> = (0..7)
        .map(|day| shifted(first, day).strftime("%a %-d").to_string())
        .collect();
    let frame = Frame::new(request, db, "My week").below("Spent time", LIST);
    let projects = viewer.projects_with(Permission::LogTime);
    let mut projects: Vec<_> = projects
        .filter_map(|id| catalogue.projects.get(&id))
        .map(|project| choice(&project.identifier, &project.name))
        .collect();
    sort_by_label(&mut projects);
    let page = WeekPage {
        tabs: tabs(request, LIST, TimeTab::Week),
        errors: summary(&errors),
        day: first.to_string(),
        period: format!("{} to {}", date(first), date(last)),
        previous: week_path(shifted(first, -7)),
        next: week_path(shifted(first, 7)),
        rows: week_rows,
        new_rows: (0..NEW_ROWS)
            .map(|number| new_row(number, &day_labels, sent, &errors))
            .collect(),
        days: day_labels,
        projects,
        activities: catalogue
            .enumerations_of(EnumerationKind::TimeEntryActivity)
            .filter(|activity| activity.active && activity.project.is_none())
            .map(|activity| choice(activity.id, &activity.name))
            .collect(),
        has_default: catalogue
            .default_enumeration(EnumerationKind::TimeEntryActivity)
            .is_some(),
        total: hours(totals.iter().sum()),
        totals: totals.map(hours).to_vec(),
        is_cut,
        frame,
    };
    render(&page.frame, &page)
}

fn week_path(first: Date) -> Option<String> {
    let is_in_range = YEARS.contains(&first.year());
    is_in_range.then(|| format!("{WEEK}?{DAY}={first}"))
}

/// Returns a time entry outside the week for each row of a form, so that a row that has no entry any
/// more keeps what was typed.
fn sent_rows(
    request: &RequestContext,
    catalogue: &Catalogue,
    sent: &Input,
    day: Date,
) -> Vec<TimeEntry> {
    let rows = sent.get(ROWS).map(Input::entries).unwrap_or_default();
    rows.iter()
        .filter_map(|(row, _)| RowKey::parse(row))
        .filter(|key| {
            let mut activities = catalogue.activities_of(key.project);
            request.viewer().sees(key.project)
                && activities.any(|activity| activity.id == key.activity)
        })
        .take(MAX_ROWS)
        .map(|key| TimeEntry {
            project: key.project,
            issue: key.issue,
            activity: key.activity,
            spent_on: day,
            ..TimeEntry::default()
        })
        .collect()
}

fn sum(entries: &[TimeEntry]) -> f64 {
    entries.iter().map(|entry| entry.hours).sum()
}

fn summary(errors: &ValidationErrors) -> ErrorSummary {
    let mut summary = ErrorSummary::default();
    for error in errors.iter() {
        match &error.attribute {
            Some(attribute) => {
                summary.links.push((attribute.clone(), error.to_string()));
            }
            None => summary.messages.push(error.message.clone()),
        }
    }
    summary
}

fn week_row(
    request: &RequestContext,
    context: &RowContext<'_>,
    (key, days): (RowKey, &[Vec<TimeEntry>; DAYS]),
    first: Date,
    sent: &Input,
    errors: &ValidationErrors,
) -> WeekRow {
    let viewer = request.viewer();
    let project = context.catalogue.projects.get(&key.project);
    let issue = key.issue.and_then(|id| context.issue_by_id(id));
    let name = issue.map_or_else(
        || project.map_or_else(String::new, |project| project.name.clone()),
        issue_label,
    );
    let activity = context.activity_name(key.activity).to_owned();
    // Time on a hidden issue is changed, but not added.
    let may_log =
        viewer.may(Permission::LogTime, key.project) && (key.issue.is_none() || issue.is_some());
    let cells = days.iter().enumerate().map(|(day, entries)| {
        let date = shifted(first, i64::try_from(day).unwrap_or(0));
        let may_change = match entries.as_slice() {
            [] => may_log,
            [entry] => time_entries::may_edit(viewer, entry),
            _ => false,
        };
        let row = key.to_text();
        let (attribute, shown_name) = cell_names(&row, day);
        let shown = match entries.as_slice() {
            [entry] => format!("{}:{}", entry.id, entry.hours),
            _ => String::new(),
        };
        let stored = if entries.is_empty() {
            String::new()
        } else {
            round(sum(entries)).to_string()
        };
        WeekCell {
            day: date.strftime("%a %-d").to_string(),
            value: typed_cell(sent, &row, day)
                .filter(|_| may_change)
                .unwrap_or(stored),
            is_invalid: errors
                .iter()
                .any(|error| error.is_about(&cell_id(&row, day))),
            label: format!("{name}, {activity}, {}", date.strftime("%a %-d %b")),
            path: (entries.len() > 1).then(|| format!("{}?user_id=me&from={date}&to={date}", LIST)),
            name: may_change.then_some(attribute),
            shown_name,
            shown,
        }
    });
    WeekRow {
        cells: cells.collect(),
        project: project.map(|project| Link::new(&project.name, paths::project(project))),
        issue: issue.map(|issue| Link::new(issue_label(issue), paths::issue(issue.id))),
        activity,
        total: hours(days.iter().map(|entries| sum(entries)).sum()),
    }
}

fn new_row(number: usize, days: &[String], sent: &Input, errors: &ValidationErrors) -> NewRow {
    let row = format!("new{number}");
    let typed = |name: &str| {
        let text = sent.at(&[ROWS, &row, name]).and_then(Input::as_text);
        text.unwrap_or_default().into_owned()
    };
    let label = format!("New row {}", number + 1);
    let cells = days.iter().enumerate().map(|(day, day_label)| {
        let (name, shown_name) = cell_names(&row, day);
        WeekCell {
            day: day_label.clone(),
            value: typed_cell(sent, &row, day).unwrap_or_default(),
            is_invalid: errors
                .iter()
                .any(|error| error.is_about(&cell_id(&row, day))),
            label: format!("{label}, {day_label}"),
            name: Some(name),
            shown_name,
            shown: String::new(),
            path: None,
        }
    });
    NewRow {
        cells: cells.collect(),
        issue: typed("issue"),
        project: typed("project"),
        activity: typed("activity"),
        name: format!("{ROWS}[{row}]"),
        label,
    }
}
