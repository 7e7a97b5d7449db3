//! Taking a file away.

use super::rights;
use crate::actions::Refused;
use crate::domain::attachment::{Attachment, Container, Holder};
use crate::domain::clock::Clock;
use crate::domain::ids::{AttachmentId, IssueId, UserId};
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::journals::{Detail, NewJournal};
use crate::store::{Read, StoreError, Write, attachments, issues, journals};
use jiff::Timestamp;

/// How many uploads are taken away in one transaction.
const AT_ONCE: i64 = 200;

/// Removes the file; an issue's history says so. The file as it was: its content is to be given up once this is committed, see
/// `store::contents`.
///
/// # Errors
/// `NotFound`, `Forbidden` when the viewer may not take files from the record that it hangs on.
pub fn remove(db: &mut Write<'_>, viewer: &Viewer, id: AttachmentId, clock: &dyn Clock) -> Result<Attachment, Refused> {
    let file = attachments::find(db, id)?.ok_or(Refused::NotFound)?;
    let Some(user) = viewer.user else { return Err(Refused::Forbidden) };
    if !rights::of(db, viewer, &file)?.delete {
        return Err(Refused::Forbidden);
    }
    attachments::remove(db, &file)?;
    if let Some(Container { holder: Holder::Record(Kind::Issue), id }) = file.container {
        note(db, viewer, user, IssueId(id), &file, clock.now())?;
    }
    Ok(file)
}

fn note(db: &mut Write<'_>, viewer: &Viewer, user: UserId, issue: IssueId, file: &Attachment, now: Timestamp) -> Result<(), Refused> {
    let Some(mut found) = issues::find(db, visibility::issues(viewer), issue)? else { return Ok(()) };
    found.updated_on = now;
    issues::change(db, &found)?;
    let details = [removed(file)];
    journals::insert(db, &NewJournal { issue, user, notes: Some(""), private: false, created_on: now, details: &details })?;
    Ok(())
}

/// What the journal of an issue says of a file that was taken away (contract 4.2).
pub fn removed(file: &Attachment) -> Detail {
    Detail { property: "attachment", name: file.id.to_string().into(), old_value: Some(file.filename.clone()), new_value: None }
}

/// Removes uploads that have waited for a record since before this instant; the files that were removed, some at a time.
pub fn expire(db: &mut Write<'_>, before: Timestamp) -> Result<Vec<Attachment>, StoreError> {
    let old = attachments::waiting(db as &Read<'_>, before, AT_ONCE)?;
    for file in &old {
        attachments::remove(db, file)?;
    }
    Ok(old)
}
