//! A version with its progress, as the roadmap and its own page show it.

use crate::prelude::*;
use jiff::civil::Date;
use quarry_domain::projects::version::Version;
use quarry_domain::values::text::capitalize;
use quarry_domain::values::text::date;
use quarry_markup::strip::strip;
use quarry_store::projects::version_progress::VersionProgress;

/// Maximum number of characters of a description.
const MAX_DESCRIPTION_CHARS: usize = 500;

/// A version.
pub struct VersionSummary {
    pub id: i64,
    pub name: String,
    /// The address of its page, if the viewer may open it.
    pub path: Option<String>,
    /// The name of the project that it belongs to, if that is another one.
    pub project: Option<String>,
    /// Its status, with a capital letter.
    pub status: String,
    pub is_open: bool,
    /// The due date.
    pub due: Option<String>,
    /// How long it is until the due date, for versions that are not closed.
    pub left: String,
    pub is_late: bool,
    pub description: String,
    /// The address of its wiki page.
    pub wiki: Option<String>,
    pub progress: VersionProgress,
}

impl VersionSummary {
    /// Returns the summary of a version on a page of this project.
    pub fn new(
        catalogue: &Catalogue,
        viewer: &Viewer,
        version: &Version,
        progress: VersionProgress,
        today: Date,
    ) -> VersionSummary {
        let project = catalogue.projects.get(&version.project);
        let wiki = version
            .wiki_page_title
            .as_deref()
            .filter(|title| !title.is_empty())
            .filter(|_| viewer.may(Permission::ViewWikiPages, version.project));
        let is_closed = version.status == "closed";
        let days = version.due_date.map(|due| days_between(today, due));
        let days = days.filter(|_| !is_closed);
        let description = version.description.as_deref().unwrap_or_default();
        VersionSummary {
            id: version.id.0,
            name: version.name.clone(),
            path: viewer
                .may(Permission::ViewIssues, version.project)
                .then(|| paths::version(version.id)),
            project: None,
            status: capitalize(&version.status),
            is_open: version.is_open(),
            due: version.due_date.map(date),
            left: days.map_or_else(String::new, left),
            is_late: days.is_some_and(|days| days < 0),
            description: strip(description)
                .chars()
                .take(MAX_DESCRIPTION_CHARS)
                .collect(),
            wiki: project
                .zip(wiki)
                .map(|(project, title)| paths::wiki_page(&project.identifier, title)),
            progress,
        }
    }

    /// Returns the share of closed issues, in percent.
    pub fn closed(&self) -> i64 {
        self.progress.closed_percent()
    }

    /// Returns the share of the work that is done, in percent.
    pub fn done(&self) -> i64 {
        self.progress.done_percent()
    }

    /// Returns the number of issues.
    pub fn total(&self) -> i64 {
        self.progress.total()
    }
}

fn days_between(today: Date, due: Date) -> i64 {
    due.since(today)
        .map_or(0, |span| i64::from(span.get_days()))
}

fn left(days: i64) -> String {
    match days {
        0 => "due today".to_owned(),
        1 => "1 day left".to_owned(),
        -1 => "1 day late".to_owned(),
        days if days > 0 => format!("{days} days left"),
        days => format!("{} days late", -days),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_left_are_counted_over_months() {
        let today = Date::constant(2026, 11, 20);
        for (due, expected) in [
            (Date::constant(2026, 11, 20), "due today"),
            (Date::constant(2026, 11, 21), "1 day left"),
            (Date::constant(2026, 12, 31), "41 days left"),
            (Date::constant(2026, 11, 19), "1 day late"),
            (Date::constant(2025, 11, 20), "365 days late"),
        ] {
            assert_eq!(left(days_between(today, due)), expected);
        }
    }
}
