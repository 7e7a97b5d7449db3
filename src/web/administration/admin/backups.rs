//! What administrators see about backups in `/admin/index`.

use super::attention::{count, duration, size};
use crate::prelude::*;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quarry_store::backup::status;

/// The section about backups.
pub struct BackupSection {
    /// When the last complete backup was made, its size and where it is.
    pub last: Option<LastBackup>,
    /// When backups are made, and where.
    pub schedule: Option<String>,
    /// Why scheduled backups fail.
    pub failure: Option<String>,
    /// Whether a scheduled backup is missing.
    pub is_overdue: bool,
}

/// The last complete backup, in words.
pub struct LastBackup {
    pub time: String,
    pub age: String,
    pub size: String,
    pub path: String,
    /// Files of attachments that the store lacked, or that were damaged there.
    pub problems: Option<String>,
}

/// Returns the section.
pub fn section(request: &RequestContext, db: &Read<'_>) -> Result<BackupSection, Error> {
    let status = status::status(db)?;
    let now = db.now();
    let config = request.app.config.backup.as_ref();
    let times = config.map(|config| &config.times);
    let age = status.age(now).map(duration).unwrap_or_default();
    let failure = status.failure.as_ref().map(|failure| {
        let last = time(failure.failed_on);
        let first = time(failure.since);
        format!("Failed at {last}, first at {first}: {}", failure.error)
    });
    let schedule = config.map(|config| {
        format!(
            "every day at {} UTC into {}; next at {}",
            config.times,
            config.folder.display(),
            time(config.times.next_due(now))
        )
    });
    Ok(BackupSection {
        is_overdue: times.is_some_and(|times| status.is_overdue(times, now)),
        failure: failure.filter(|_| config.is_some()),
        schedule,
        last: status.last.map(|last| LastBackup {
            time: time(last.created_on),
            age,
            size: size(last.bytes),
            path: format!("{}/{}", last.folder, last.name),
            problems: (last.problems > 0).then(|| count(last.problems, "file", "files")),
        }),
    })
}

fn time(time: Timestamp) -> String {
    let time = time.to_zoned(TimeZone::UTC);
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}
