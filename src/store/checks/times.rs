//! Checks that no times of records are in the future.

use super::damage::Damage;
use crate::StoreError;
use crate::transaction::snapshot::Snapshot;
use jiff::{SignedDuration, Timestamp};

/// How far the times of records may be ahead of the clock.
const MAX_AHEAD: SignedDuration = SignedDuration::from_hours(1);

/// Checks the latest times of issues, journals and events.
pub(super) fn future_times(
    db: &Snapshot<'_>,
    now: Timestamp,
) -> Result<Option<Damage>, StoreError> {
    let limit = now.saturating_add(MAX_AHEAD).unwrap_or(Timestamp::MAX);
    let mut examples = Vec::new();
    for (table, column) in [
        ("issues", "updated_on"),
        ("journals", "created_on"),
        ("audit_events", "created_on"),
    ] {
        // Times out of range are invalid values.
        let sql = format!("SELECT MAX({column}) FROM {table} WHERE {column} <= ?1");
        let latest: Option<Option<Timestamp>> =
            db.first(&sql, &[Timestamp::MAX.into()], |row| row.next())?;
        if let Some(latest) = latest.flatten().filter(|latest| *latest > limit) {
            examples.push(format!("{table} has a row of {latest}"));
        }
    }
    Ok(Damage::from_examples(examples, None))
}
