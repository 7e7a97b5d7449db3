//! `GET /issues/calendar`, `GET /projects/:id/issues/calendar`: the issues of a list and versions on
//! the days of a month on which they start or are due.

mod ical;

use super::dated_view::{DatedView, ViewHead};
use super::months::Months;
use crate::components::badge::Stage;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::issues::list::redirect;
use crate::issues::show::related::IssueLink;
use crate::issues::views::View;
use crate::prelude::*;
use crate::queries::ListAddress;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use quarry_actions::issues::may_edit;
use quarry_domain::projects::version::Version;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::issues::DateRange;
use std::collections::BTreeMap;

/// Maximum number of issues of a month, beyond which the rest is left out.
const MAX_ISSUES: i64 = 5_000;
/// Maximum number of issues and of versions on a day. Links to lists lead to the other issues; the
/// roadmaps have the other versions.
const MAX_PER_DAY: usize = 5;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues/calendar", get(issue_list_handler(show)))
        .route("/issues/calendar.ics", get(issue_list_handler(ical::ics)))
        .route(
            "/projects/{id}/issues/calendar",
            get(issue_list_handler(show)),
        )
        .route(
            "/projects/{id}/issues/calendar.ics",
            get(issue_list_handler(ical::ics)),
        )
}

#[derive(Template)]
#[template(path = "issues/dates/calendar/show.html")]
struct CalendarPage {
    frame: Frame,
    head: ViewHead,
    /// The names of the days of the week, short and long.
    weekdays: Vec<(String, String)>,
    weeks: Vec<Vec<Day>>,
    /// Whether there is nothing on any day.
    is_empty: bool,
    /// How many issues are left out.
    left_out: i64,
    /// The address of the calendar for calendar programs.
    ics_path: String,
}

/// A day of the calendar.
struct Day {
    /// For programs.
    iso: String,
    /// The day of the month.
    number: i8,
    /// The day of the week, before the number where days are a list.
    weekday: String,
    /// The month, after the number where days are a list; always for the first day of a month.
    month: String,
    is_first: bool,
    is_today: bool,
    /// Whether it belongs to another month.
    is_outside: bool,
    versions: Vec<DayVersion>,
    issues: Vec<DayIssue>,
    /// How many issues are not shown.
    more: usize,
    /// Number of versions that are left out.
    more_versions: usize,
    /// If some are not shown: links to lists with all issues that are due and that start.
    lists: Vec<(String, String)>,
}

impl Day {
    fn is_empty(&self) -> bool {
        self.versions.is_empty() && self.issues.is_empty()
    }
}

/// A version that is due on a day.
struct DayVersion {
    name: String,
    path: String,
    /// Its project, unless that is the project of the page.
    project: Option<String>,
}

/// An issue on a day.
struct DayIssue {
    /// Whether it starts on the day, is due, or both.
    role: Role,
    /// The day, for programs.
    iso: String,
    issue: IssueLink,
    is_private: bool,
    /// Whether the viewer may edit it.
    may_edit: bool,
    /// Whether it is still open after the day.
    is_late: bool,
}

impl DayIssue {
    /// Returns the day if the issue starts on it, for programs; otherwise nothing.
    fn start(&self) -> &str {
        match self.role {
            Role::Start | Role::StartAndDue => &self.iso,
            Role::Due => "",
        }
    }

    /// Returns the day if the issue is due on it, for programs; otherwise nothing.
    fn due(&self) -> &str {
        match self.role {
            Role::Due | Role::StartAndDue => &self.iso,
            Role::Start => "",
        }
    }
}

/// What the day is for the issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Due,
    StartAndDue,
    Start,
}

impl Role {
    /// Returns it in words.
    fn label(self) -> &'static str {
        match self {
            Role::Due => "due",
            Role::StartAndDue => "starts and due",
            Role::Start => "starts",
        }
    }

    /// Returns the sign before the issue.
    fn sign(self) -> &'static str {
        match self {
            Role::Due => "⇥",
            Role::StartAndDue => "◆",
            Role::Start => "↦",
        }
    }
}

/// Shows a month.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if let Some(reply) = redirect(request) {
        return Ok(reply);
    }
    let view = DatedView::parse(request, db)?;
    let months = Months {
        count: 1,
        ..Months::parse(request, view.today, 1)?
    };
    let first_weekday = view.list.context.calendar.first_weekday;
    let (from, to) = weeks_around(months, first_weekday);
    let period = DateRange {
        from,
        to,
        with_spanning: false,
    };
    let (total, issues) = view
        .list
        .load_period(db, request.viewer(), period, MAX_ISSUES)?;
    let mut by_day: BTreeMap<Date, Vec<(Role, &Issue)>> = BTreeMap::new();
    for issue in &issues {
        let start = issue.start_date;
        let due = issue.due_date;
        if let Some(day) = due {
            let role = if start == due {
                Role::StartAndDue
            } else {
                Role::Due
            };
            by_day.entry(day).or_default().push((role, issue));
        }
        if let Some(day) = start.filter(|_| start != due) {
            by_day.entry(day).or_default().push((Role::Start, issue));
        }
    }
    let versions = view.versions(from, to);
    let days: Vec<Day> = from
        .series(1.day())
        .take_while(|date| *date <= to)
        .map(|date| {
            let mut issues = by_day.remove(&date).unwrap_or_default();
            issues.stable_sort_by_key(|(role, issue)| (*role, issue.id));
            let due = versions.iter().filter(|(due, _)| *due == date);
            let due = due.map(|(_, version)| *version).collect();
            day(&view, months, date, &issues, due)
        })
        .collect();
    let is_empty = days.iter().all(Day::is_empty);
    let mut days = days.into_iter().peekable();
    let mut weeks = Vec::new();
    while days.peek().is_some() {
        weeks.push(days.by_ref().take(7).collect());
    }
    let week = from.series(1.day()).take(7);
    let page = CalendarPage {
        frame: view.frame("Calendar"),
        head: view.head(View::Calendar, months, false)?,
        weekdays: week
            .map(|day| {
                (
                    day.strftime("%a").to_string(),
                    day.strftime("%A").to_string(),
                )
            })
            .collect(),
        weeks,
        is_empty,
        left_out: total - i64::try_from(issues.len()).unwrap_or(total),
        ics_path: format!("{}/calendar.ics{}", view.path, view.address.for_export()),
    };
    Ok(view.with_status(render(&page.frame, &page)?))
}

/// Returns the first day of the week in which the month begins, and the last day of that in which it
/// ends.
fn weeks_around(month: Months, first_weekday: Weekday) -> (Date, Date) {
    let last = month.last_day();
    let before = i32::from(first_weekday.until(month.first.weekday()));
    let after = 6 - i32::from(first_weekday.until(last.weekday()));
    (
        month.first.saturating_sub(before.days()),
        last.saturating_add(after.days()),
    )
}

fn day(
    view: &DatedView<'_>,
    month: Months,
    date: Date,
    issues: &[(Role, &Issue)],
    versions: Vec<&Version>,
) -> Day {
    let catalogue = view.db.catalogue();
    let more = issues.len().saturating_sub(MAX_PER_DAY);
    let shown = issues.iter().take(MAX_PER_DAY);
    let lists = if more > 0 {
        day_lists(view, date, issues)
    } else {
        Vec::new()
    };
    Day {
        more_versions: versions.len().saturating_sub(MAX_PER_DAY),
        iso: date.to_string(),
        number: date.day(),
        weekday: date.strftime("%A").to_string(),
        month: date.strftime("%B").to_string(),
        is_first: date.day() == 1,
        is_today: date == view.today,
        is_outside: date.month() != month.first.month(),
        versions: versions
            .into_iter()
            .take(MAX_PER_DAY)
            .map(|version| DayVersion {
                name: version.name.clone(),
                path: paths::version(version.id),
                project: view
                    .project
                    .is_none_or(|project| project.id != version.project)
                    .then(|| catalogue.project_name(version.project).to_owned()),
            })
            .collect(),
        issues: shown
            .map(|(role, issue)| {
                let link = issue_link(catalogue, issue);
                DayIssue {
                    role: *role,
                    iso: date.to_string(),
                    is_late: *role != Role::Start && date < view.today && !link.stage.is_closed(),
                    issue: link,
                    is_private: issue.private,
                    may_edit: may_edit(view.request.viewer(), issue),
                }
            })
            .collect(),
        more,
        lists,
    }
}

/// Returns links to the lists of all issues that are due and that start on a day, with their numbers.
fn day_lists(view: &DatedView<'_>, date: Date, issues: &[(Role, &Issue)]) -> Vec<(String, String)> {
    let roles = issues.iter().map(|(role, _)| *role);
    let due = roles.clone().filter(|role| *role != Role::Start).count();
    let starting = roles.filter(|role| *role != Role::Due).count();
    [
        (due, "due", "due_date"),
        (starting, "starting", "start_date"),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0)
    .map(|(count, label, filter)| {
        let address: ListAddress = view.address.clone();
        let address = address.set_text(filter, Some(&date.to_string()));
        (format!("{count} {label}"), view.list_address(&address))
    })
    .collect()
}

fn issue_link(catalogue: &Catalogue, issue: &Issue) -> IssueLink {
    let status = catalogue.status(issue.status);
    IssueLink {
        label: String::new(),
        id: issue.id.0,
        subject: issue.subject.clone(),
        status: status.map_or(String::new(), |status| status.name.clone()),
        stage: Stage::of(catalogue, issue.status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_are_complete() {
        let month = |year, month| Months {
            first: Date::constant(year, month, 1),
            count: 1,
        };
        // February 2027 begins on a Monday and has four weeks.
        assert_eq!(
            weeks_around(month(2027, 2), Weekday::Monday),
            (Date::constant(2027, 2, 1), Date::constant(2027, 2, 28))
        );
        assert_eq!(
            weeks_around(month(2026, 11), Weekday::Monday),
            (Date::constant(2026, 10, 26), Date::constant(2026, 12, 6))
        );
        assert_eq!(
            weeks_around(month(2026, 11), Weekday::Sunday),
            (Date::constant(2026, 11, 1), Date::constant(2026, 12, 5))
        );
    }
}
