//! The counters, and the sequences of generated ids.

use super::damage::Damage;
use super::repair::Repair;
use crate::StoreError;
use crate::engine::Connection;
use crate::transaction::snapshot::Snapshot;

/// Checks that the counters exist, and are not behind the changes in use.
pub(super) fn change_counter(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let last = db.query_i64("SELECT COALESCE(MAX(seq), 0) FROM changes", &[])?;
    let mut examples = Vec::new();
    for (name, at_least) in [("change", last), ("catalogue", 1)] {
        let value: Option<i64> = db.first(
            "SELECT value FROM counters WHERE name = ?1",
            &[name.into()],
            |row| row.next(),
        )?;
        match value {
            None => examples.push(format!("the counter {name} is missing")),
            Some(value) if value < at_least => examples.push(format!(
                "the counter {name} is {value}, but {at_least} is used"
            )),
            Some(_) => {}
        }
    }
    Ok(Damage::from_examples(
        examples,
        Some(Repair::SetCounters { change: last }),
    ))
}

/// How many ids a table should have left. Fewer mean that an id was set to a very large number.
const MIN_FREE_IDS: i64 = 1 << 32;

/// Checks that the engine can generate further ids.
pub(super) fn exhausted_sequences(connection: &Connection) -> Result<Option<Damage>, StoreError> {
    let last_ids = connection.last_ids()?.into_iter();
    let exhausted = last_ids.filter(|(_, last)| i64::MAX - (*last).max(0) < MIN_FREE_IDS);
    let examples = exhausted.map(|(table, last)| format!("the last id of {table} is {last}"));
    Ok(Damage::from_examples(examples.collect(), None))
}

/// Checks that generated ids continue after the greatest one.
pub(super) fn sequences(connection: &Connection) -> Result<Option<Damage>, StoreError> {
    let mut behind = Vec::new();
    for (table, last) in connection.generated_ids()? {
        let mut greatest = 0;
        connection.for_each_row(
            &format!("SELECT COALESCE(MAX(id), 0) FROM {table}"),
            &[],
            &mut |row| {
                greatest = row.next()?;
                Ok(())
            },
        )?;
        if last < greatest {
            behind.push((table, last, greatest));
        }
    }
    let examples = behind.iter().map(|(table, last, greatest)| {
        format!("the last id of {table} is {last}, but there is a row {greatest}")
    });
    let examples = examples.collect();
    let repair = behind
        .into_iter()
        .map(|(table, _, greatest)| (table, greatest));
    Ok(Damage::from_examples(
        examples,
        Some(Repair::SetSequences(repair.collect())),
    ))
}

/// Whether the first import has started and is not complete.
pub(super) fn incomplete_import(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let sql = "SELECT value FROM counters WHERE name = 'incomplete_import'";
    let is_incomplete = db.column::<i64>(sql, &[])?.contains(&1);
    let examples = is_incomplete.then(|| "the first import has not ended".to_owned());
    Ok(Damage::from_examples(examples.into_iter().collect(), None))
}
