//! What an entry of an inbox is called, and where it leads.

use super::paths;
use super::sentences::SentenceContext;
use quarry_actions::content::activity::VisibleEvent;
use quarry_actions::notices::inbox::InboxEntry;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::{Read, StoreError};

/// The record of an entry.
pub struct EntryRecord {
    pub title: String,
    /// The address of the earliest unread event, or else of the record.
    pub path: String,
    /// The name of its icon.
    pub icon: &'static str,
}

/// Loads what the sentences about the latest `limit` events of each entry need, and its record.
pub fn context<'c>(
    db: &'c Read<'_>,
    viewer: &Viewer,
    entries: &[InboxEntry],
    limit: usize,
) -> Result<SentenceContext<'c>, StoreError> {
    let shown = entries.iter().flat_map(|entry| {
        let latest = entry.events.iter().take(limit);
        latest.chain(first_unread(entry))
    });
    let shown: Vec<VisibleEvent> = shown.cloned().collect();
    SentenceContext::load(db, viewer, &shown)
}

/// Returns the record of an entry; `None` for an entry without events, of which there are none.
pub fn record(sentences: &SentenceContext<'_>, entry: &InboxEntry) -> Option<EntryRecord> {
    let catalogue = sentences.catalogue;
    let latest = entry.events.first()?;
    let sentence = sentences.sentence(&latest.event, &latest.changes);
    if entry.thread.kind == Kind::Project {
        let project = catalogue.projects.get(&entry.project);
        return Some(EntryRecord {
            title: format!(
                "Files of {}",
                project.map_or("", |project| project.name.as_str())
            ),
            path: paths::below_project(catalogue, entry.project, "/files"),
            icon: sentence.icon,
        });
    }
    let unread = first_unread(entry)
        .and_then(|unread| sentences.sentence(&unread.event, &unread.changes).path);
    let whole = match entry.thread.kind {
        Kind::Issue => Some(paths::issue(entry.thread.id)),
        _ => sentence.path,
    };
    Some(EntryRecord {
        title: sentence.label,
        path: unread.or(whole).unwrap_or_default(),
        icon: sentence.icon,
    })
}

/// Returns the earliest event of an entry that is unread.
fn first_unread(entry: &InboxEntry) -> Option<&VisibleEvent> {
    let unread = entry.first_unread?;
    let mut events = entry.events.iter();
    events.find(|visible| visible.event.key.reference() == unread)
}
