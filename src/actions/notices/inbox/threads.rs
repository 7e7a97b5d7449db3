//! What people do with the threads of their inbox.

use super::list::{MAX_READS, PAGE, is_told, list, visible_events};
use crate::content::{documents, messages, news};
use crate::issues;
use crate::prelude::*;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use quarry_domain::administration::time_zone;
use quarry_domain::ids::WikiPageId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::filter::InboxFilter;
use quarry_domain::notices::notice::Thread;
use quarry_store::content::wiki;
use quarry_store::notices;
use quarry_store::notices::{NoticeState, ThreadChoice, waiting_mails};

/// The hour of the day at which a thread returns that was put off.
const MORNING: i8 = 8;

/// When a thread that is put off returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Later {
    /// In the morning of the next day.
    Tomorrow,
    /// In the morning of the next Monday.
    NextWeek,
}

impl Later {
    /// Returns the time, in the time zone of the viewer.
    fn time(self, db: &Read<'_>, viewer: &Viewer) -> Option<Timestamp> {
        let catalogue = db.catalogue();
        let zone = time_zone::for_user(catalogue, viewer.user);
        let today = time_zone::date_for_user(catalogue, viewer.user, db.now());
        let day: Date = match self {
            Later::Tomorrow => today.checked_add(1.day()).ok()?,
            Later::NextWeek => {
                let days = 7 - i64::from(today.weekday().to_monday_zero_offset());
                today.checked_add(days.days()).ok()?
            }
        };
        let morning = day.at(MORNING, 0, 0, 0).to_zoned(zone).ok()?;
        Some(morning.timestamp())
    }
}

/// What a person does with a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadChange {
    Read,
    Unread,
    /// Puts it away, until something new happens.
    Done,
    /// Takes it back into the inbox.
    Reopen,
    /// Hides it until later; then it is unread, unless it was read meanwhile.
    Later(Later),
    Mute,
    Unmute,
}

impl ThreadChange {
    /// All changes, with their names in forms and in the API.
    pub const NAMES: [(&str, ThreadChange); 7] = [
        ("read", ThreadChange::Read),
        ("unread", ThreadChange::Unread),
        ("done", ThreadChange::Done),
        ("later_tomorrow", ThreadChange::Later(Later::Tomorrow)),
        ("later_next_week", ThreadChange::Later(Later::NextWeek)),
        ("muted", ThreadChange::Mute),
        ("unmuted", ThreadChange::Unmute),
    ];

    /// Returns the change with this name.
    pub fn from_name(name: &str) -> Option<ThreadChange> {
        let mut names = Self::NAMES.into_iter();
        names
            .find(|(known, _)| *known == name)
            .map(|(_, change)| change)
    }
}

/// Applies a change to a thread of the viewer's inbox, as [`update`] does. A thread can also be muted
/// if the viewer may see its record.
///
/// # Errors
/// `NotFound` if the viewer was told of nothing in the thread that they may see now; `Forbidden` for
/// anonymous, and with an access token that may only read.
pub fn change(
    db: &mut Write<'_>,
    viewer: &Viewer,
    thread: Thread,
    last: i64,
    change: ThreadChange,
) -> Result<(), ActionError> {
    if !viewer.has_writing_scope() {
        return Err(ActionError::Forbidden);
    }
    let has_choice = matches!(change, ThreadChange::Mute | ThreadChange::Unmute);
    if is_told(db, viewer, thread)? || has_choice && is_visible(db, viewer, thread)? {
        update(db, viewer, thread, last, change)
    } else {
        Err(ActionError::missing(viewer))
    }
}

/// Whether the viewer may see the record of a thread.
fn is_visible(db: &Read<'_>, viewer: &Viewer, thread: Thread) -> Result<bool, ActionError> {
    let found = match thread.kind {
        Kind::Issue => issues::find(db, viewer, IssueId(thread.id)).map(drop),
        Kind::News => news::find(db, viewer, thread.id).map(drop),
        Kind::Document => documents::find(db, viewer, thread.id).map(drop),
        Kind::Message => messages::find(db, viewer, thread.id).map(drop),
        Kind::WikiPage => {
            let page = wiki::find_by_id(db, WikiPageId(thread.id))?;
            return Ok(page.is_some_and(|page| viewer.may(Permission::ViewWikiPages, page.project)));
        }
        Kind::Project => return Ok(viewer.may(Permission::ViewFiles, ProjectId(thread.id))),
        Kind::Changeset => return Ok(false),
    };
    match found {
        Ok(()) => Ok(true),
        Err(ActionError::NotFound | ActionError::Forbidden) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Applies a change to the notices of a thread up to the one with the id `last`: what came after the
/// page that the person saw stays as it is. Somebody else's notices are never touched.
///
/// # Errors
/// `Forbidden` for anonymous.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    thread: Thread,
    last: i64,
    change: ThreadChange,
) -> Result<(), ActionError> {
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    let before = notices::choice(db, user, thread)?;
    match change {
        ThreadChange::Read => {
            notices::set_state(db, user, thread, last, NoticeState::Read)?;
        }
        ThreadChange::Unread | ThreadChange::Reopen => {
            notices::set_unread(db, user, thread, last)?;
            show_again(db, viewer, before)?;
        }
        ThreadChange::Done => {
            notices::set_state(db, user, thread, last, NoticeState::Done)?;
            show_again(db, viewer, before)?;
        }
        ThreadChange::Later(later) => {
            notices::set_unread(db, user, thread, last)?;
            let choice = ThreadChoice {
                hidden_until: later.time(db, viewer),
                ..before
            };
            notices::save_choice(db, user, &choice)?;
        }
        ThreadChange::Mute => set_muted(db, viewer, thread, true)?,
        ThreadChange::Unmute => set_muted(db, viewer, thread, false)?,
    }
    Ok(())
}

/// Shows a thread that was put off.
fn show_again(
    db: &mut Write<'_>,
    viewer: &Viewer,
    before: ThreadChoice,
) -> Result<(), ActionError> {
    let Some(user) = viewer.user.filter(|_| before.hidden_until.is_some()) else {
        return Ok(());
    };
    let choice = ThreadChoice {
        hidden_until: None,
        ..before
    };
    Ok(notices::save_choice(db, user, &choice)?)
}

/// Mutes a thread: the viewer is told of it only when it mentions them or is assigned to them.
///
/// # Errors
/// `Forbidden` for anonymous.
pub fn set_muted(
    db: &mut Write<'_>,
    viewer: &Viewer,
    thread: Thread,
    is_muted: bool,
) -> Result<(), ActionError> {
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    let before = notices::choice(db, user, thread)?;
    if is_muted {
        notices::set_state(db, user, thread, i64::MAX, NoticeState::Read)?;
        waiting_mails::cancel_of_thread(db, user, thread)?;
    }
    let choice = ThreadChoice { is_muted, ..before };
    Ok(notices::save_choice(db, user, &choice)?)
}

/// Marks everything in the inbox as read, up to the notice with the id `last`.
///
/// # Errors
/// `Forbidden` for anonymous.
pub fn read_all(db: &mut Write<'_>, viewer: &Viewer, last: i64) -> Result<(), ActionError> {
    set_state_of_all(db, viewer, last, NoticeState::Read)
}

/// Puts everything in the inbox away, up to the notice with the id `last`.
///
/// # Errors
/// `Forbidden` for anonymous.
pub fn put_all_away(db: &mut Write<'_>, viewer: &Viewer, last: i64) -> Result<(), ActionError> {
    set_state_of_all(db, viewer, last, NoticeState::Done)
}

fn set_state_of_all(
    db: &mut Write<'_>,
    viewer: &Viewer,
    last: i64,
    state: NoticeState,
) -> Result<(), ActionError> {
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    if !viewer.has_writing_scope() {
        return Err(ActionError::Forbidden);
    }
    if viewer.is_delegated() {
        // An access token changes only what it can see.
        return set_state_of_visible(db, viewer, user, last, state);
    }
    let mut before = last.saturating_add(1);
    for _ in 0..MAX_READS {
        let mut page = notices::list_by_user(db, user, false, before, PAGE)?;
        let Some(last) = page.last() else { break };
        before = last.id;
        // Reading leaves what is read as it is.
        page.retain(|notice| state != NoticeState::Read || !notice.is_read);
        let visible = visible_events(db, viewer, &page)?;
        let changed = page
            .iter()
            .filter(|notice| visible.contains_key(&notice.event));
        let changed = changed.map(|notice| notice.id).collect();
        notices::set_state_by_ids(db, user, changed, state)?;
    }
    Ok(())
}

fn set_state_of_visible(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    last: i64,
    state: NoticeState,
) -> Result<(), ActionError> {
    for entry in list(db, viewer, &InboxFilter::default())?.entries {
        notices::set_state(db, user, entry.thread, last, state)?;
    }
    Ok(())
}
