//! The state of the last backups, in `store_properties`. It belongs to this store, and is not
//! copied to another one.

use crate::transaction::{Read, Write};
use crate::{StoreError, json, properties};
use jiff::Timestamp;
use quarry_domain::administration::backup::{BackupFailure, BackupStatus, LastBackup};
use std::collections::BTreeMap;

/// The last complete backup.
const LAST: &str = "last_backup";
/// The failures since then.
const FAILURE: &str = "backup_failure";

/// Returns the state of the last backups.
pub fn status(db: &Read<'_>) -> Result<BackupStatus, StoreError> {
    let last = find_property(db, LAST)?;
    let failure = find_property(db, FAILURE)?;
    let time = |values: &BTreeMap<String, String>, name| -> Option<Timestamp> {
        values.get(name)?.parse().ok()
    };
    let text = |values: &BTreeMap<String, String>, name: &str| {
        values.get(name).cloned().unwrap_or_default()
    };
    let number =
        |values: &BTreeMap<String, String>, name| text(values, name).parse().unwrap_or_default();
    Ok(BackupStatus {
        last: time(&last, "created_on").map(|created_on| LastBackup {
            name: text(&last, "name"),
            folder: text(&last, "folder"),
            created_on,
            bytes: number(&last, "bytes"),
            problems: number(&last, "problems"),
        }),
        failure: time(&failure, "since")
            .zip(time(&failure, "failed_on"))
            .map(|(since, failed_on)| BackupFailure {
                since,
                failed_on,
                error: text(&failure, "error"),
            }),
    })
}

/// Records a complete backup, and clears earlier failures.
pub fn note_success(db: &mut Write<'_>, last: &LastBackup) -> Result<(), StoreError> {
    let values = [
        ("name", last.name.clone()),
        ("folder", last.folder.clone()),
        ("created_on", last.created_on.to_string()),
        ("bytes", last.bytes.to_string()),
        ("problems", last.problems.to_string()),
    ];
    set(db, LAST, &values)?;
    let sql = "DELETE FROM store_properties WHERE name = ?1";
    db.execute(sql, &[FAILURE.into()]).map(drop)
}

/// Records a failure of a scheduled backup. Returns whether it is the first since a complete backup.
pub fn note_failure(db: &mut Write<'_>, error: &str) -> Result<bool, StoreError> {
    let now = db.now();
    let earlier = status(db)?.failure;
    let since = earlier.as_ref().map_or(now, |failure| failure.since);
    let values = [
        ("since", since.to_string()),
        ("failed_on", now.to_string()),
        ("error", error.to_owned()),
    ];
    set(db, FAILURE, &values)?;
    Ok(earlier.is_none())
}

fn find_property(db: &Read<'_>, name: &str) -> Result<BTreeMap<String, String>, StoreError> {
    let value: Option<String> = db.column(properties::FIND, &[name.into()])?.pop();
    Ok(json::parse_map(value.as_deref()))
}

fn set(db: &mut Write<'_>, name: &str, values: &[(&str, String)]) -> Result<(), StoreError> {
    let values = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    let value = json::from_map(&values).unwrap_or_default();
    db.execute(properties::SET, &[name.into(), value.into()])
        .map(drop)
}
