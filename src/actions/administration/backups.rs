//! Records the outcome of backups, and mails administrators when one fails.

use crate::notices::outbox;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::backup::LastBackup;
use quarry_domain::administration::mail::{MailKind, NewMail};
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::backup::status;
use quarry_store::{StoreError, Write};

/// The parameter of a mail with the reason of the failure.
pub const ERROR: &str = "error";
/// The parameter of a mail with the folder of the backups.
pub const FOLDER: &str = "folder";
/// Maximum length of the reason in characters.
const MAX_ERROR: usize = 1000;

/// Records a complete backup, and clears earlier failures.
pub fn note_success(db: &mut Write<'_>, last: &LastBackup) -> Result<(), StoreError> {
    db.audit(AuditEvent::new(RecordType::Backup, 0, "completed").with_details(last.name.clone()));
    status::note_success(db, last)
}

/// Records a backup that has no records of a database. It does not count as the last complete backup.
pub fn note_without_records(db: &mut Write<'_>, backup: &LastBackup) {
    let details = format!("{}, without records", backup.name);
    db.audit(AuditEvent::new(RecordType::Backup, 0, "completed").with_details(details));
}

/// Records that a scheduled backup has failed. The first failure after a complete backup is mailed to
/// all administrators.
pub fn note_failure(db: &mut Write<'_>, folder: &str, error: &str) -> Result<(), StoreError> {
    let error: String = error.chars().take(MAX_ERROR).collect();
    if !status::note_failure(db, &error)? {
        return Ok(());
    }
    db.audit(AuditEvent::new(RecordType::Backup, 0, "failed").with_details(error.clone()));
    let mut new: Vec<NewMail> = db
        .catalogue()
        .users
        .values()
        .filter(|user| user.admin && user.status == UserStatus::Active)
        .map(|user| {
            NewMail::to_user(MailKind::BackupFailure, user.id)
                .with_data(ERROR, error.as_str())
                .with_data(FOLDER, folder)
        })
        .collect();
    new.stable_sort_by_key(|mail| mail.user);
    outbox::insert(db, &new).map(drop)
}
