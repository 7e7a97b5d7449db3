//! `GET /projects/:id/roadmap.ics`: the due dates of the versions of a project, for calendar
//! programs.

use super::roadmap::is_closed;
use crate::access;
use crate::components::ical::{EventCalendar, MAX_EVENTS};
use crate::prelude::*;
use quarry_actions::projects::versions;
use quarry_domain::administration::setting::Setting;
use quarry_domain::values::stable_sort::StableSort;
use quarry_domain::values::text::parse_bool;
use std::cmp::Reverse;

/// Returns the versions of the roadmap that have a due date, at most [`MAX_EVENTS`], the latest ones.
/// With `completed=1`, closed versions are among them.
pub fn ics(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::project(request, catalogue, Permission::ViewIssues)?;
    let with_closed = request
        .query_param("completed")
        .is_some_and(|value| parse_bool(&value) == Some(true));
    let versions = versions::list(catalogue, request.viewer(), project.id);
    let mut versions = access::found(request, versions)?;
    versions.retain(|version| version.due_date.is_some() && (with_closed || !is_closed(version)));
    versions.stable_sort_by_key(|version| Reverse((version.due_date, version.id)));
    versions.truncate(usize::try_from(MAX_EVENTS).unwrap_or(0));
    let app = catalogue.setting(Setting::AppTitle);
    let name = format!("Roadmap · {} – {app}", project.name);
    let mut calendar = EventCalendar::new(catalogue, request.base_url(), &name);
    for version in versions {
        calendar.add_version(version);
    }
    Ok(calendar.reply("roadmap.ics"))
}
