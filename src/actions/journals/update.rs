//! Updates notes (compatibility 6.8).

use super::list::shown;
use crate::actions::ActionError;
use crate::actions::issues::limit_note;
use crate::domain::clock::Clock;
use crate::domain::ids::JournalId;
use crate::domain::issue::Issue;
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::text::is_blank;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::journals::Journal;
use crate::store::{Write, issues, journals};

/// What a request wants of an entry of the history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalChange {
    /// The text of the note.
    pub notes: Patch<String>,
    /// Whether only some may read it.
    pub private: Patch<bool>,
}

/// Changes the note, and whether it is private, as far as the viewer may; the entry with its issue as the viewer sees it then.
/// A note that is emptied is gone, and with it an entry that says nothing else: then there is none to answer.
///
/// # Errors
/// `NotFound` where there is no such entry that the viewer may read; `Forbidden` when the viewer may not change it; `Invalid` when the
/// note is too long.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: JournalId,
    change: &JournalChange,
    clock: &dyn Clock,
) -> Result<Option<(Issue, Journal)>, ActionError> {
    let before = journals::find(db, id)?.ok_or(ActionError::NotFound)?;
    let issue = issues::find(db, visibility::issues(viewer), before.issue)?.ok_or(ActionError::NotFound)?;
    if shown(db, viewer, &issue, vec![before.clone()])?.is_empty() {
        return Err(ActionError::NotFound);
    }
    let own = viewer.user == Some(before.user) && viewer.may(Permission::EditOwnIssueNotes, issue.project);
    let Some(user) = viewer.user.filter(|_| own || viewer.may(Permission::EditIssueNotes, issue.project)) else {
        return Err(ActionError::Forbidden);
    };
    let mut after = before.clone();
    if change.notes.is_present() {
        // A note that was imported may be longer as long as it stays.
        limit_note(db.catalogue(), change.notes.value().filter(|text| before.notes.as_ref() != Some(text)))?;
        after.notes = Some(change.notes.value().filter(|text| !is_blank(text)).cloned().unwrap_or_default());
    }
    if let Some(private) = change.private.value().filter(|_| viewer.may(Permission::SetNotesPrivate, issue.project)) {
        after.private = *private;
    }
    let says_nothing = after.notes.as_ref().is_none_or(String::is_empty) && after.details.is_empty();
    if says_nothing {
        journals::delete(db, &after)?;
        return Ok(None);
    }
    if after != before {
        journals::update(db, &after, user, clock.now())?;
    }
    let left = shown(db, viewer, &issue, vec![after])?;
    Ok(left.into_iter().next().map(|journal| (issue, journal)))
}
