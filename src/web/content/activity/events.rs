//! Events as rows, grouped by day.

use crate::components::avatar::Person;
use crate::components::breadcrumb::Crumb;
use crate::components::time::Moment;
use crate::issues::links;
use crate::prelude::*;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quarry_actions::content::activity::VisibleEvent;
use quarry_domain::content::activity::{Event, EventDetails};
use quarry_domain::values::text::shorten;
use quarry_http::resources::journal_changes::Change;
use quarry_http::resources::sentences::{Sentence, SentenceContext};
use quarry_markup::strip::strip;

/// Maximum number of characters of the text of an event.
const MAX_TEXT_CHARS: usize = 240;
/// Maximum number of changes of an event.
const MAX_CHANGES: usize = 5;

/// The events of a day.
pub struct Day {
    /// The day as a heading.
    pub label: String,
    pub rows: Vec<EventRow>,
}

/// An event.
pub struct EventRow {
    /// Who did it, if a user is known.
    pub person: Option<Person>,
    /// The committer of a changeset without a user.
    pub committer: String,
    pub sentence: Sentence,
    /// The project, on pages of several projects.
    pub project: Option<Crumb>,
    pub moment: Moment,
    /// The time of the day.
    pub time: String,
    /// Whether only some may read the note.
    pub is_private: bool,
    /// What was changed.
    pub changes: Vec<Change>,
    /// The number of changes that are left out.
    pub more_changes: usize,
    /// The beginning of the text, without markup.
    pub text: String,
}

/// Loads what the sentences about these events need.
pub fn context<'c>(
    request: &RequestContext,
    db: &'c Read<'_>,
    events: &[VisibleEvent],
) -> Result<SentenceContext<'c>, Error> {
    let logged = events
        .iter()
        .filter_map(|visible| match visible.event.details {
            EventDetails::TimeEntry { issue, .. } => issue,
            _ => None,
        });
    let mut logged: Vec<i64> = logged.collect();
    logged.sort_unstable();
    logged.dedup();
    let issues = links(request, db, &logged)?.into_iter().map(|issue| {
        (
            issue.id,
            format!("{} #{} {}", issue.label, issue.id, issue.subject),
        )
    });
    Ok(SentenceContext {
        issues: issues.collect(),
        ..SentenceContext::load(db, request.viewer(), events)?
    })
}

/// Returns the events by day, as days are in `zone`. With `is_mixed` each row names its project.
pub fn days(
    request: &RequestContext,
    context: &SentenceContext<'_>,
    events: Vec<VisibleEvent>,
    (zone, now): (&TimeZone, Timestamp),
    is_mixed: bool,
) -> Vec<Day> {
    let today = now.to_zoned(zone.clone()).date();
    let mut days: Vec<(Date, Day)> = Vec::new();
    for event in events {
        let local = event.event.key.at.to_zoned(zone.clone());
        let time = local.strftime("%H:%M").to_string();
        let row = row(request, context, event, time, is_mixed);
        match days.last_mut().filter(|(date, _)| *date == local.date()) {
            Some((_, day)) => day.rows.push(row),
            None => {
                let label = day_label(local.date(), today);
                let rows = vec![row];
                days.push((local.date(), Day { label, rows }));
            }
        }
    }
    days.into_iter().map(|(_, day)| day).collect()
}

fn row(
    request: &RequestContext,
    context: &SentenceContext<'_>,
    VisibleEvent { event, changes }: VisibleEvent,
    time: String,
    is_mixed: bool,
) -> EventRow {
    let catalogue = context.catalogue;
    let sentence = context.sentence(&event, &changes);
    let shown = changes.iter().take(MAX_CHANGES);
    let project = catalogue.projects.get(&event.project);
    EventRow {
        person: event.author.map(|user| Person::new(catalogue, user.into())),
        committer: committer(&event),
        sentence,
        project: project.filter(|_| is_mixed).map(|project| Crumb {
            label: project.name.clone(),
            path: paths::project(project),
        }),
        moment: Moment::new(event.key.at),
        time,
        is_private: matches!(
            event.details,
            EventDetails::IssueChange { private: true, .. }
        ),
        changes: shown
            .map(|detail| Change::new(catalogue, request.viewer(), detail))
            .collect(),
        more_changes: changes.len().saturating_sub(MAX_CHANGES),
        text: excerpt(text(request, context, &event)),
    }
}

/// Returns the text of an event. The comment of time on an issue that the viewer may not see is hidden, except
/// for their own time.
pub fn text<'e>(
    request: &RequestContext,
    context: &SentenceContext<'_>,
    event: &'e Event,
) -> &'e str {
    let is_hidden = match event.details {
        EventDetails::TimeEntry { issue, .. } => {
            let is_own = event.author.is_some() && event.author == request.viewer().user;
            !is_own && issue.is_some_and(|issue| !context.issues.contains_key(&issue))
        }
        _ => false,
    };
    if is_hidden { "" } else { &event.text }
}

/// Returns the name of the committer without the mail address; empty for other events.
fn committer(event: &Event) -> String {
    match &event.details {
        EventDetails::Changeset { committer, .. } => {
            let name = committer.split('<').next().unwrap_or_default();
            name.trim().to_owned()
        }
        _ => String::new(),
    }
}

/// Returns the name of the author for a feed.
pub fn author_name(catalogue: &Catalogue, event: &Event) -> String {
    match event.author {
        Some(user) => {
            let name = catalogue.principal_name(user.into());
            name.unwrap_or("Anonymous").to_owned()
        }
        None => committer(event),
    }
}

/// Returns the beginning of a text without its markup, on one line.
pub fn excerpt(text: &str) -> String {
    let plain = strip(text);
    let words: Vec<&str> = plain.split_whitespace().collect();
    shorten(&words.join(" "), MAX_TEXT_CHARS)
}

fn day_label(date: Date, today: Date) -> String {
    if date == today {
        return "Today".to_owned();
    }
    if today.yesterday().is_ok_and(|yesterday| yesterday == date) {
        return "Yesterday".to_owned();
    }
    date.strftime("%A, %-d %B %Y").to_string()
}
