//! `GET /issues/calendar.ics`: the issues of a list and versions with their dates, for calendar
//! programs.

use crate::components::ical::{EventCalendar, MAX_EVENTS};
use crate::issues::dates::dated_view::DatedView;
use crate::prelude::*;
use jiff::ToSpan;
use quarry_domain::administration::setting::Setting;
use quarry_store::issues::DateRange;

/// How many days before today the calendar begins.
const DAYS_BEFORE: i32 = 90;
/// How many days after today it ends.
const DAYS_AFTER: i32 = 730;

/// Returns the issues and versions of the last three months and the next two years, the earliest
/// first, at most [`MAX_EVENTS`] of each.
pub fn ics(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let mut view = DatedView::parse(request, db)?;
    if let Some(error) = view.text_error.take() {
        return Err(error);
    }
    let period = DateRange {
        from: view.today.saturating_sub(DAYS_BEFORE.days()),
        to: view.today.saturating_add(DAYS_AFTER.days()),
        with_spanning: true,
    };
    let (_, issues) = view
        .list
        .load_period(db, request.viewer(), period, MAX_EVENTS)?;
    let app = catalogue.setting(Setting::AppTitle);
    let saved = view.list.saved.as_ref();
    let name = saved.map_or("Issues", |query| query.name.as_str());
    let name = match view.project {
        Some(project) => format!("{name} · {} – {app}", project.name),
        None => format!("{name} – {app}"),
    };
    let mut calendar = EventCalendar::new(catalogue, request.base_url(), &name);
    for issue in &issues {
        calendar.add_issue(issue);
    }
    let versions = view.versions(period.from, period.to).into_iter();
    for (_, version) in versions.take(usize::try_from(MAX_EVENTS).unwrap_or(0)) {
        calendar.add_version(version);
    }
    Ok(calendar.reply("issues.ics"))
}
