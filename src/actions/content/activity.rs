//! Activity: what happened in projects, as far as a viewer may see it.

use crate::issues::journals;
use crate::prelude::*;
use quarry_domain::content::activity::EventReference;
use quarry_domain::content::activity::{Event, EventKey, EventType};
use quarry_domain::ids::JournalId;
use quarry_domain::issues::journal::JournalDetail;
use quarry_store::content::activity;
use quarry_store::content::activity::ActivityQuery;
use quarry_store::lists::texts::Texts;
use std::collections::HashMap;

/// Maximum number of queries for a page, where many changes have no details that the viewer may see.
const MAX_QUERIES: usize = 5;

/// An event with what it changed.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibleEvent {
    pub event: Event,
    /// What the viewer may see of the changed attributes of an issue.
    pub changes: Vec<JournalDetail>,
}

/// A page of events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActivityPage {
    /// Newest first.
    pub events: Vec<VisibleEvent>,
    /// The last event of the page, if there are older ones.
    pub last: Option<EventKey>,
}

/// Returns the newest events that match and that the viewer may see.
pub fn list(db: &Read<'_>, query: &ActivityQuery<'_>) -> Result<ActivityPage, StoreError> {
    let mut page = ActivityPage {
        last: query.after,
        ..ActivityPage::default()
    };
    for _ in 0..MAX_QUERIES {
        // One more shows whether there are older ones.
        let missing = query.limit - page.events.len();
        let mut events = activity::list(
            db,
            &ActivityQuery {
                projects: query.projects.clone(),
                after: page.last,
                limit: missing + 1,
                ..*query
            },
        )?;
        let has_more = events.len() > missing;
        events.truncate(missing);
        page.last = events.last().map(|event| event.key).filter(|_| has_more);
        let texts = Texts::UpTo(activity::MAX_TEXT_CHARS);
        page.events
            .extend(visible(db, query.viewer, events, texts)?);
        if page.last.is_none() || page.events.len() == query.limit {
            break;
        }
    }
    // The link to older events must not reveal when a change was made that the viewer may not see.
    let shown = page.events.last().map(|visible| visible.event.key);
    page.last = page.last.map(|last| shown.unwrap_or(last));
    Ok(page)
}

/// Returns those of these events that the viewer may see, in no particular order, with as much of
/// their texts.
pub fn load_visible(
    db: &Read<'_>,
    viewer: &Viewer,
    events: &[EventReference],
    texts: Texts,
) -> Result<Vec<VisibleEvent>, StoreError> {
    let events = activity::load(db, viewer, events, texts)?;
    visible(db, viewer, events, texts)
}

/// Whether the viewer may see an event.
pub fn is_visible(
    db: &Read<'_>,
    viewer: &Viewer,
    event: EventReference,
) -> Result<bool, StoreError> {
    Ok(!load_visible(db, viewer, &[event], Texts::Short)?.is_empty())
}

/// Adds what was changed, and leaves out changes of which the viewer may see nothing.
fn visible(
    db: &Read<'_>,
    viewer: &Viewer,
    events: Vec<Event>,
    texts: Texts,
) -> Result<Vec<VisibleEvent>, StoreError> {
    let projects: HashMap<JournalId, _> = events
        .iter()
        .filter_map(|event| Some((journal_of(event)?, event.project)))
        .collect();
    let mut journals = journals::load_visible(db, viewer, &projects, texts)?;
    let events = events.into_iter().filter_map(|event| {
        let changes = match journal_of(&event) {
            Some(journal) => journals.remove(&journal)?.details,
            None => Vec::new(),
        };
        Some(VisibleEvent { event, changes })
    });
    Ok(events.collect())
}

fn journal_of(event: &Event) -> Option<JournalId> {
    (event.key.event_type == EventType::IssueChange).then_some(JournalId(event.key.id))
}
