//! Updates notes (compatibility 6.8).

use super::list::filter_visible;
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
use crate::store::{Read, Write, issues, journals};

/// The attributes of a journal in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalChange {
    /// The note.
    pub notes: Patch<String>,
    /// Whether it is private.
    pub private: Patch<bool>,
}

/// Whether the viewer may change the note of an issue that the viewer sees.
pub fn may_update(viewer: &Viewer, issue: &Issue, journal: &Journal) -> bool {
    let own = viewer.user == Some(journal.user)
        && viewer.may(Permission::EditOwnIssueNotes, issue.project);
    viewer.user.is_some() && (own || viewer.may(Permission::EditIssueNotes, issue.project))
}

/// Returns the entry with its issue, as the viewer sees them.
///
/// # Errors
/// `NotFound` where there is no such entry that the viewer may read.
pub fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    id: JournalId,
) -> Result<(Issue, Journal), ActionError> {
    let journal = journals::find(db, id)?.ok_or(ActionError::NotFound)?;
    let issue = issues::find(db, visibility::issues(viewer), journal.issue)?
        .ok_or(ActionError::NotFound)?;
    let journal = filter_visible(db, viewer, &issue, vec![journal])?
        .into_iter()
        .next()
        .ok_or(ActionError::NotFound)?;
    Ok((issue, journal))
}

/// Updates the note and whether it is private, as far as the viewer may. Returns the journal with
/// its issue; `None` if it was deleted because it has neither a note nor details any more.
///
/// # Errors
/// `NotFound` if there is no such journal that the viewer may read; `Forbidden` if the viewer may
/// not change it; `Invalid` if the note is too long.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: JournalId,
    change: &JournalChange,
    clock: &dyn Clock,
) -> Result<Option<(Issue, Journal)>, ActionError> {
    let before = journals::find(db, id)?.ok_or(ActionError::NotFound)?;
    let issue =
        issues::find(db, visibility::issues(viewer), before.issue)?.ok_or(ActionError::NotFound)?;
    if filter_visible(db, viewer, &issue, vec![before.clone()])?.is_empty() {
        return Err(ActionError::NotFound);
    }
    let Some(user) = viewer.user.filter(|_| may_update(viewer, &issue, &before)) else {
        return Err(ActionError::Forbidden);
    };
    let mut after = before.clone();
    if change.notes.is_present() {
        // An imported note may be longer if it is unchanged.
        limit_note(
            db.catalogue(),
            change
                .notes
                .value()
                .filter(|text| before.notes.as_ref() != Some(text)),
        )?;
        after.notes = Some(
            change
                .notes
                .value()
                .filter(|text| !is_blank(text))
                .cloned()
                .unwrap_or_default(),
        );
    }
    if let Some(private) = change
        .private
        .value()
        .filter(|_| viewer.may(Permission::SetNotesPrivate, issue.project))
    {
        after.private = *private;
    }
    let is_empty = after.notes.as_ref().is_none_or(String::is_empty) && after.details.is_empty();
    if is_empty {
        journals::delete(db, &after)?;
        return Ok(None);
    }
    if after != before {
        (after.updated_on, after.updated_by) = (clock.now(), Some(user));
        journals::update(db, &after)?;
    }
    let visible = filter_visible(db, viewer, &issue, vec![after])?;
    Ok(visible.into_iter().next().map(|journal| (issue, journal)))
}
