//! Lists an inbox by thread.

use crate::content::activity::{VisibleEvent, load_visible};
use crate::prelude::*;
use jiff::Timestamp;
use quarry_domain::content::activity::EventReference;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::filter::{Excluded, InboxFilter, InboxState};
use quarry_domain::notices::notice::{Notice, Thread};
use quarry_domain::notices::reasons::{Reason, Reasons};
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::content::activity::MAX_TEXT_CHARS;
use quarry_store::lists::texts::Texts;
use quarry_store::notices;
use quarry_store::notices::ThreadChoice;
use std::collections::HashMap;

/// Number of the latest notices that the person may see and that an inbox shows, read or not. Of the others, it
/// shows unread ones.
const MAX_NOTICES: usize = 1_000;
/// Number of notices that are read together.
pub(super) const PAGE: i64 = 1_000;
/// Maximum number of such reads: what a person may not see hides other notices only in great numbers.
pub(super) const MAX_READS: i64 = 4;
/// Number of the latest notices of which an inbox is made.
pub(super) const LATEST: i64 = MAX_READS * PAGE;
/// Number of notices of a thread that are looked at together.
const FEW_NOTICES: usize = 20;

/// A thread in an inbox, with the events of which the person was told and that they may see.
#[derive(Clone, Debug, PartialEq)]
pub struct InboxEntry {
    pub thread: Thread,
    pub project: ProjectId,
    /// The latest first; never empty. Long texts are left out until [`load_texts`].
    pub events: Vec<VisibleEvent>,
    /// All reasons of its notices.
    pub reasons: Reasons,
    /// Whether one of its notices is unread.
    pub is_unread: bool,
    /// The earliest event that is unread.
    pub first_unread: Option<EventReference>,
    /// The id of the latest of its notices that the person may see.
    pub last_notice: i64,
    pub choice: ThreadChoice,
}

impl InboxEntry {
    /// Returns when the latest event happened.
    pub fn updated_on(&self) -> Timestamp {
        self.events
            .first()
            .map_or(Timestamp::UNIX_EPOCH, |visible| visible.event.key.at)
    }

    fn matches(&self, filter: &InboxFilter) -> bool {
        let title = self
            .events
            .first()
            .map_or_else(String::new, |visible| visible.event.title.to_lowercase());
        let title = match self.thread.kind {
            Kind::Issue => format!("#{} {title}", self.thread.id),
            Kind::WikiPage => title.replace('_', " "),
            _ => title,
        };
        let has_reason = |reason: Reason| filter.reasons.contains(reason);
        let projects = filter.projects.as_ref();
        (filter.reasons.is_empty() || self.reasons.iter().any(has_reason))
            && (filter.types.is_empty() || filter.types.contains(&self.thread.kind))
            && projects.is_none_or(|projects| projects.contains(&self.project))
            && filter.words.iter().all(|word| title.contains(word))
            && (!filter.is_muted || self.choice.is_muted)
            && !self.is_excluded(&filter.excluded, &title)
            && match filter.state {
                InboxState::Unread => self.is_unread,
                InboxState::Read => !self.is_unread,
                InboxState::Open | InboxState::Later | InboxState::Done => true,
            }
    }

    fn is_excluded(&self, excluded: &Excluded, title: &str) -> bool {
        excluded.is_muted && self.choice.is_muted
            || excluded.types.contains(&self.thread.kind)
            || excluded.projects.contains(&self.project)
            || self
                .reasons
                .iter()
                .any(|reason| excluded.reasons.contains(reason))
            || excluded.words.iter().any(|word| title.contains(word))
    }
}

/// Entries of an inbox.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inbox {
    /// Unread ones first, then the latest first.
    pub entries: Vec<InboxEntry>,
    /// The id of the latest notice that the person may see, whether it matches or not; 0 without
    /// any.
    pub last_notice: i64,
}

/// Returns the entries of the viewer's inbox that match; nothing for anonymous.
pub fn list(db: &Read<'_>, viewer: &Viewer, filter: &InboxFilter) -> Result<Inbox, StoreError> {
    let Some(user) = viewer.user else {
        return Ok(Inbox::default());
    };
    let mut listed = Vec::new();
    let mut visible = HashMap::new();
    let mut choices = HashMap::new();
    let is_done = filter.state == InboxState::Done;
    let mut before = i64::MAX;
    for _ in 0..MAX_READS {
        let mut page = notices::list_by_user(db, user, is_done, before, PAGE)?;
        let Some(last) = page.last() else { break };
        before = last.id;
        // Only unread ones can still be shown.
        let is_full = listed.len() >= MAX_NOTICES;
        page.retain(|notice| !is_full || !notice.is_read);
        let page_choices = notices::choices(db, user, &page)?;
        let is_hidden = |notice: &Notice| is_hidden(db, &page_choices, notice.thread);
        page.retain(|notice| match filter.state {
            InboxState::Done => true,
            InboxState::Later => is_hidden(notice),
            InboxState::Open | InboxState::Unread | InboxState::Read => !is_hidden(notice),
        });
        let visible_on_page = visible_events(db, viewer, &page)?;
        page.retain(|notice| visible_on_page.contains_key(&notice.event));
        listed.extend(page);
        visible.extend(visible_on_page);
        choices.extend(page_choices);
    }
    let latest: Vec<Notice> = listed
        .into_iter()
        .enumerate()
        .filter(|(index, notice)| *index < MAX_NOTICES || !notice.is_read)
        .map(|(_, notice)| notice)
        .collect();
    let mut entries = group(latest, visible, &choices);
    let last_notice = entries.iter().map(|entry| entry.last_notice).max();
    entries.retain(|entry| entry.matches(filter));
    entries.stable_sort_by_key(|entry| {
        let is_first = entry.is_unread && filter.state != InboxState::Done;
        (
            !is_first,
            std::cmp::Reverse(entry.updated_on()),
            entry.thread,
        )
    });
    Ok(Inbox {
        entries,
        last_notice: last_notice.unwrap_or(0),
    })
}

/// Whether a thread is hidden until later.
pub(super) fn is_hidden(
    db: &Read<'_>,
    choices: &HashMap<Thread, ThreadChoice>,
    thread: Thread,
) -> bool {
    let choice = choices.get(&thread);
    choice.is_some_and(|choice| choice.hidden_until.is_some_and(|until| until > db.now()))
}

/// Loads the beginnings of the texts of the latest `limit` events of each entry.
pub fn load_texts(
    db: &Read<'_>,
    viewer: &Viewer,
    entries: &mut [InboxEntry],
    limit: usize,
) -> Result<(), StoreError> {
    let latest = |entry: &InboxEntry| -> Vec<EventReference> {
        let events = entry.events.iter().take(limit);
        events
            .map(|visible| visible.event.key.reference())
            .collect()
    };
    let shown: Vec<EventReference> = entries.iter().flat_map(latest).collect();
    let loaded = load_visible(db, viewer, &shown, Texts::UpTo(MAX_TEXT_CHARS))?;
    let mut loaded: HashMap<EventReference, VisibleEvent> = loaded
        .into_iter()
        .map(|visible| (visible.event.key.reference(), visible))
        .collect();
    for event in entries.iter_mut().flat_map(|entry| &mut entry.events) {
        if let Some(complete) = loaded.remove(&event.event.key.reference()) {
            *event = complete;
        }
    }
    Ok(())
}

/// Whether the viewer was told of anything in a thread that they may see.
pub(super) fn is_told(db: &Read<'_>, viewer: &Viewer, thread: Thread) -> Result<bool, StoreError> {
    let Some(user) = viewer.user else {
        return Ok(false);
    };
    let found = notices::list_by_thread(db, user, thread, PAGE)?;
    for few in found.chunks(FEW_NOTICES) {
        if !visible_events(db, viewer, few)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The events of notices that a viewer may see.
pub(super) type VisibleEvents = HashMap<EventReference, VisibleEvent>;

/// Returns the events of these notices that the viewer may see and has not caused: of what they do
/// themselves, people are told by mail alone.
pub(super) fn visible_events(
    db: &Read<'_>,
    viewer: &Viewer,
    notices: &[Notice],
) -> Result<VisibleEvents, StoreError> {
    let references: Vec<EventReference> = notices.iter().map(|notice| notice.event).collect();
    let visible = load_visible(db, viewer, &references, Texts::Short)?;
    Ok(visible
        .into_iter()
        .filter(|visible| visible.event.author != viewer.user)
        .map(|event| (event.event.key.reference(), event))
        .collect())
}

/// Groups notices, the latest first, by thread. Leaves out those without a visible event.
pub(super) fn group(
    notices: Vec<Notice>,
    mut visible: VisibleEvents,
    choices: &HashMap<Thread, ThreadChoice>,
) -> Vec<InboxEntry> {
    let mut entries: Vec<InboxEntry> = Vec::new();
    let mut index_of: HashMap<Thread, usize> = HashMap::new();
    for notice in notices {
        // A person is told of an event once.
        let Some(event) = visible.remove(&notice.event) else {
            continue;
        };
        let project = event.event.project;
        // What was moved, such as a message, belongs to the thread where it is now.
        let thread = Thread::of_event(&event.event).unwrap_or(notice.thread);
        let index = *index_of.entry(thread).or_insert_with(|| {
            let choice = choices.get(&thread);
            entries.push(InboxEntry {
                thread,
                project,
                events: Vec::new(),
                reasons: Reasons::default(),
                is_unread: false,
                first_unread: None,
                last_notice: 0,
                choice: choice.copied().unwrap_or(ThreadChoice {
                    thread,
                    is_muted: false,
                    hidden_until: None,
                }),
            });
            entries.len() - 1
        });
        if let Some(entry) = entries.get_mut(index) {
            entry.events.push(event);
            entry.reasons = entry.reasons.union(notice.reasons);
            if !notice.is_read {
                entry.is_unread = true;
                entry.first_unread = Some(notice.event);
            }
            entry.last_notice = entry.last_notice.max(notice.id);
        }
    }
    entries
}
