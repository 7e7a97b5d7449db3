//! A calendar for calendar programs (iCalendar, RFC 5545).
//!
//! Each record is an all-day event: subscribed calendars show events everywhere, but to-dos
//! (`VTODO`) in few programs. Events are transparent, so that nobody counts as busy because of them.

use crate::prelude::*;
use axum::http::header;
use icalendar::{Calendar, Component, Event, Property};
use jiff::Timestamp;
use jiff::civil::Date;
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::VersionId;
use quarry_domain::projects::version::Version;
use std::fmt::Display;

/// Maximum number of events of a calendar.
pub const MAX_EVENTS: i64 = 1_000;
/// What stands for the host in the ids of events while the setting has none.
const NO_HOST: &str = "quarry.invalid";

/// A calendar.
pub struct EventCalendar<'a> {
    catalogue: &'a Catalogue,
    /// The URL of the service.
    base_url: String,
    calendar: Calendar,
}

impl<'a> EventCalendar<'a> {
    /// Creates an empty calendar. Its addresses begin with `base_url`.
    pub fn new(catalogue: &'a Catalogue, base_url: String, name: &str) -> EventCalendar<'a> {
        let mut calendar = Calendar::empty();
        let properties = [
            ("VERSION", "2.0"),
            ("PRODID", "-//Quarry//Quarry//EN"),
            ("CALSCALE", "GREGORIAN"),
            ("X-PUBLISHED-TTL", "PT1H"),
        ];
        for property in properties {
            calendar.append_property(property);
        }
        calendar.append_property(Property::new("X-WR-CALNAME", one_line(name)));
        EventCalendar {
            catalogue,
            base_url,
            calendar,
        }
    }

    /// Adds an issue on the days from its start to its due date, or on the one that it has.
    pub fn add_issue(&mut self, issue: &Issue) {
        let catalogue = self.catalogue;
        let Some(first) = issue.start_date.or(issue.due_date) else {
            return;
        };
        let last = issue.due_date.unwrap_or(first).max(first);
        let mut lines = vec![format!(
            "Project: {}",
            catalogue.project_name(issue.project)
        )];
        let names = [
            (
                "Tracker",
                catalogue.tracker(issue.tracker).map(|t| t.name.as_str()),
            ),
            (
                "Status",
                catalogue
                    .status(issue.status)
                    .map(|status| status.name.as_str()),
            ),
            (
                "Assignee",
                issue.assignee.and_then(|id| catalogue.principal_name(id)),
            ),
            (
                "Version",
                issue.version.and_then(|id| self.version_name(id)),
            ),
        ];
        let names = names
            .iter()
            .filter_map(|(label, name)| Some(format!("{label}: {}", (*name)?)));
        lines.extend(names);
        let mut event = self.event(
            ("issue", issue.id.0),
            &format!("#{} {}", issue.id, issue.subject),
            (first, last),
            (issue.created_on, issue.updated_on),
            &paths::issue(issue.id),
        );
        describe(&mut event, &lines);
        if issue.private {
            event.add_property("CLASS", "PRIVATE");
        }
        self.calendar.push(event);
    }

    /// Adds a version on its due date.
    pub fn add_version(&mut self, version: &Version) {
        let Some(due) = version.due_date else {
            return;
        };
        let project = self.catalogue.project_name(version.project);
        let mut event = self.event(
            ("version", version.id.0),
            &format!("{project}: {}", version.name),
            (due, due),
            (version.created_on, version.updated_on),
            &paths::version(version.id),
        );
        let lines = [
            format!("Project: {project}"),
            format!("Version: {}", version.name),
            format!("Status: {}", version.status),
        ];
        describe(&mut event, &lines);
        self.calendar.push(event);
    }

    /// Returns the calendar as a file of this name.
    pub fn reply(self, filename: &str) -> Reply {
        let text = self.calendar.to_string();
        let disposition = format!("attachment; filename=\"{filename}\"");
        Reply::document("text/calendar; charset=utf-8", text.into_bytes())
            .with_header(header::CONTENT_DISPOSITION, disposition)
    }

    fn version_name(&self, id: VersionId) -> Option<&'a str> {
        let version = self.catalogue.versions.get(&id);
        version.map(|version| version.name.as_str())
    }

    /// Creates an event. Its id stays the same whatever changes, so that programs replace it.
    fn event(
        &self,
        (kind, id): (&str, i64),
        summary: &str,
        (first, last): (Date, Date),
        (created, updated): (Timestamp, Timestamp),
        path: &str,
    ) -> Event {
        let host = self.catalogue.setting(Setting::HostName);
        // The setting can have a path.
        let host = host.split('/').next().filter(|host| !host.is_empty());
        let host = host.unwrap_or(NO_HOST);
        let mut event = Event::new();
        event
            .add_property("UID", format!("{kind}-{id}@{host}"))
            .add_property("SUMMARY", one_line(summary))
            .append_property(day("DTSTART", first))
            // The end is the day after the last one.
            .append_property(day("DTEND", last.tomorrow().unwrap_or(last)))
            .add_property("DTSTAMP", instant(updated))
            .add_property("CREATED", instant(created))
            .add_property("LAST-MODIFIED", instant(updated))
            .add_property("TRANSP", "TRANSPARENT")
            .add_property("URL", format!("{}{path}", self.base_url));
        event
    }
}

fn describe(event: &mut Event, lines: &[String]) {
    let lines: Vec<String> = lines.iter().map(|line| one_line(line)).collect();
    event.add_property("DESCRIPTION", lines.join("\n"));
}

fn day(name: &str, date: Date) -> Property {
    let mut property = Property::new(name, date.strftime("%Y%m%d").to_string());
    property.add_parameter("VALUE", "DATE").done()
}

fn instant(time: Timestamp) -> impl Display + Into<String> {
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Replaces line breaks and other control characters by spaces. The library escapes line feeds, but
/// not carriage returns, at which some programs end the line.
fn one_line(text: &str) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.replace(is_break, " ")
}
