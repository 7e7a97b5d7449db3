//! Updates and deletes attachments, and removes uploads that were never attached (compatibility
//! 11.4).

use super::rights;
use crate::issues::watching;
use crate::notices;
use crate::prelude::*;
use jiff::Timestamp;
use quarry_domain::access::visibility;
use quarry_domain::content::attachment::{Attachment, Container, ContainerType, clean_name};
use quarry_domain::ids::AttachmentId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::journal::{Journal, JournalDetail};
use quarry_store::content::attachments;
use quarry_store::issues;

/// A change of the name and the description of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttachmentChange {
    /// The file name.
    pub filename: Patch<String>,
    pub description: Patch<String>,
    /// The media type.
    pub content_type: Patch<String>,
}

/// Updates the file, and returns it. Writes nothing if nothing changes.
///
/// # Errors
/// `Invalid` with the messages of compatibility 11.4.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: AttachmentId,
    change: &AttachmentChange,
) -> Result<Attachment, ActionError> {
    let before = attachments::find(db, id)?.ok_or(ActionError::NotFound)?;
    if !rights::find_rights(db, viewer, &before)?.edit {
        return Err(ActionError::Forbidden);
    }
    let mut after = before.clone();
    if change.filename.is_present() {
        after.filename = clean_name(change.filename.value().map_or("", String::as_str));
    }
    after.description = change.description.apply_to(after.description);
    if let Some(kind) = change.content_type.value() {
        after.content_type = kind.trim().to_owned();
    }
    if after == before {
        return Ok(before);
    }
    after
        .validate_update(&before)
        .into_result()
        .map_err(ActionError::Invalid)?;
    attachments::update(db, &after)?;
    Ok(after)
}

/// Maximum number of expired uploads that are deleted in one transaction.
const BATCH_SIZE: i64 = 200;

/// Deletes the file, records that in the history of an issue, and returns the file. The caller must
/// release its content after the commit, see `store::files::blobs`.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: AttachmentId,
) -> Result<Attachment, ActionError> {
    let file = attachments::find(db, id)?.ok_or(ActionError::NotFound)?;
    let Some(user) = viewer.user else {
        return Err(ActionError::Forbidden);
    };
    if !rights::find_rights(db, viewer, &file)?.delete {
        return Err(ActionError::Forbidden);
    }
    attachments::delete(db, &file)?;
    if let Some(Container {
        container_type: ContainerType::Record(Kind::Issue),
        id,
    }) = file.container
    {
        record_deletion(db, viewer, user, IssueId(id), &file)?;
    }
    Ok(file)
}

fn record_deletion(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    id: IssueId,
    file: &Attachment,
) -> Result<(), ActionError> {
    let Some(mut issue) = issues::find(db, visibility::issues(viewer), id)? else {
        return Ok(());
    };
    issue.updated_on = db.now();
    issues::update(db, &issue)?;
    let journal = Journal {
        issue: id,
        user,
        notes: Some(String::new()),
        created_on: db.now(),
        details: vec![removed_detail(file)],
        ..Journal::default()
    };
    watching::add_contributor(db, viewer, &issue)?;
    notices::record_journal(db, &journal)?;
    Ok(())
}

/// Returns the journal detail of a deleted attachment (compatibility 6.2).
pub fn removed_detail(file: &Attachment) -> JournalDetail {
    JournalDetail {
        property: "attachment".to_owned(),
        name: file.id.to_string(),
        old_value: Some(file.filename.clone()),
        new_value: None,
    }
}

/// Deletes unattached uploads from before this time, at most 200. Returns the deleted ones.
pub fn expire(db: &mut Write<'_>, before: Timestamp) -> Result<Vec<Attachment>, StoreError> {
    let expired = attachments::list_unattached(db as &Read<'_>, before, BATCH_SIZE)?;
    for file in &expired {
        attachments::delete(db, file)?;
    }
    Ok(expired)
}
