//! Taking a file away.

use super::rights;
use crate::actions::ActionError;
use crate::domain::attachment::{Attachment, Container, ContainerType};
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
/// `store::blobs`.
///
/// # Errors
/// `NotFound`, `Forbidden` when the viewer may not take files from the record that it hangs on.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: AttachmentId, clock: &dyn Clock) -> Result<Attachment, ActionError> {
    let file = attachments::find(db, id)?.ok_or(ActionError::NotFound)?;
    let Some(user) = viewer.user else { return Err(ActionError::Forbidden) };
    if !rights::of(db, viewer, &file)?.delete {
        return Err(ActionError::Forbidden);
    }
    attachments::delete(db, &file)?;
    if let Some(Container { container_type: ContainerType::Record(Kind::Issue), id }) = file.container {
        note(db, viewer, user, IssueId(id), &file, clock.now())?;
    }
    Ok(file)
}

fn note(db: &mut Write<'_>, viewer: &Viewer, user: UserId, issue: IssueId, file: &Attachment, now: Timestamp) -> Result<(), ActionError> {
    let Some(mut found) = issues::find(db, visibility::issues(viewer), issue)? else { return Ok(()) };
    found.updated_on = now;
    issues::update(db, &found)?;
    let details = [removed(file)];
    journals::insert(db, &NewJournal { issue, user, notes: Some(""), private: false, created_on: now, details: &details })?;
    Ok(())
}

/// What the journal of an issue says of a file that was taken away (compatibility 6.2).
pub fn removed(file: &Attachment) -> Detail {
    Detail { property: "attachment", name: file.id.to_string().into(), old_value: Some(file.filename.clone()), new_value: None }
}

/// Removes uploads that have waited for a record since before this instant; the files that were removed, some at a time.
pub fn expire(db: &mut Write<'_>, before: Timestamp) -> Result<Vec<Attachment>, StoreError> {
    let old = attachments::list_unattached(db as &Read<'_>, before, AT_ONCE)?;
    for file in &old {
        attachments::delete(db, file)?;
    }
    Ok(old)
}
