//! The entries of an inbox as rows.

use crate::components::avatar::Person;
use crate::components::breadcrumb::Crumb;
use crate::components::time::Moment;
use crate::content::activity::excerpt;
use crate::prelude::*;
use quarry_actions::content::activity::VisibleEvent;
use quarry_actions::notices::inbox::InboxEntry;
use quarry_domain::content::activity::EventDetails;
use quarry_domain::notices::reasons::Reason;
use quarry_http::resources::inbox::{context, record};
use quarry_http::resources::journal_changes::Change;
use quarry_http::resources::sentences::SentenceContext;

/// Number of events of an entry that are shown.
pub const MAX_EVENTS: usize = 3;
/// Number of changes of an event that are shown.
const MAX_CHANGES: usize = 3;

/// An entry.
pub struct EntryRow {
    /// The address to which its buttons post.
    pub action: String,
    /// Its thread and its latest notice, as the form of several entries names it.
    pub key: String,
    /// The id of its latest notice.
    pub last: i64,
    pub title: String,
    pub path: String,
    pub icon: &'static str,
    pub project: Option<Crumb>,
    pub is_unread: bool,
    pub is_muted: bool,
    /// When it returns to the inbox.
    pub later: Option<Moment>,
    pub reasons: Vec<&'static str>,
    pub events: Vec<EventLine>,
    /// The number of events that are left out.
    pub more: usize,
}

/// An event of an entry: who did what.
pub struct EventLine {
    pub person: Option<Person>,
    pub verb: String,
    /// What it was done to, where that is not the record of the entry.
    pub label: String,
    pub path: String,
    pub moment: Moment,
    /// Whether only some may read it.
    pub is_private: bool,
    pub changes: Vec<Change>,
    /// The beginning of the text.
    pub text: String,
}

/// Returns the rows of these entries.
pub fn rows(
    request: &RequestContext,
    db: &Read<'_>,
    entries: &[InboxEntry],
) -> Result<Vec<EntryRow>, Error> {
    let sentences = context(db, request.viewer(), entries, MAX_EVENTS)?;
    Ok(entries
        .iter()
        .filter_map(|entry| row(request, &sentences, db, entry))
        .collect())
}

fn row(
    request: &RequestContext,
    sentences: &SentenceContext<'_>,
    db: &Read<'_>,
    entry: &InboxEntry,
) -> Option<EntryRow> {
    let catalogue = db.catalogue();
    let record = record(sentences, entry)?;
    let project = catalogue.projects.get(&entry.project);
    let until = entry.choice.hidden_until;
    Some(EntryRow {
        action: format!("/my/inbox/{}/{}", entry.thread.type_name(), entry.thread.id),
        key: format!(
            "{}/{}/{}",
            entry.thread.type_name(),
            entry.thread.id,
            entry.last_notice
        ),
        last: entry.last_notice,
        title: record.title,
        path: record.path,
        icon: record.icon,
        project: project.map(|project| Crumb {
            label: project.name.clone(),
            path: paths::project(project),
        }),
        is_unread: entry.is_unread,
        is_muted: entry.choice.is_muted,
        later: until.filter(|until| *until > db.now()).map(Moment::new),
        reasons: entry.reasons.iter().map(Reason::label).collect(),
        events: entry
            .events
            .iter()
            .take(MAX_EVENTS)
            .map(|visible| line(request, sentences, visible))
            .collect(),
        more: entry.events.len().saturating_sub(MAX_EVENTS),
    })
}

fn line(
    request: &RequestContext,
    sentences: &SentenceContext<'_>,
    visible: &VisibleEvent,
) -> EventLine {
    let event = &visible.event;
    let sentence = sentences.sentence(event, &visible.changes);
    let is_file = matches!(event.details, EventDetails::File);
    let catalogue = sentences.catalogue;
    let verb = sentence.verb.as_str();
    let short = verb.strip_suffix(" on").or(verb.strip_suffix(" to"));
    let changes = visible.changes.iter().take(MAX_CHANGES);
    EventLine {
        person: event.author.map(|user| Person::new(catalogue, user.into())),
        verb: short.unwrap_or(verb).to_owned(),
        label: if is_file {
            sentence.label
        } else {
            String::new()
        },
        path: sentence.path.unwrap_or_default(),
        moment: Moment::new(event.key.at),
        is_private: matches!(
            event.details,
            EventDetails::IssueChange { private: true, .. }
        ),
        changes: changes
            .map(|detail| Change::new(catalogue, request.viewer(), detail))
            .collect(),
        text: excerpt(&event.text),
    }
}
