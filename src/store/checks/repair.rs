//! Repairs of damage that [`super::Checkup`] has found. The rows that they change can be saved as
//! text.

use crate::accounts::memberships::{self, Scope};
use crate::administration::roles;
use crate::content::attachments;
use crate::engine::Value;
use crate::{Store, StoreError, Write};
use quarry_domain::access::role::{Builtin, Role};
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use std::io;

/// A repair that loses nothing that users can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Creates these indexes.
    CreateIndexes(Vec<String>),
    /// Deletes the rows of tables that meet a condition.
    DeleteRows(Vec<(&'static str, String)>),
    /// Sets the counters to the last change that is used, and creates missing ones.
    SetCounters { change: i64 },
    /// Sets the last generated ids of tables.
    SetSequences(Vec<(String, i64)>),
    /// Inserts missing rows of inherited memberships, and deletes superfluous ones.
    SynchronizeMemberships,
    /// Inserts built-in roles, without permissions.
    InsertRoles(Vec<Builtin>),
}

/// A row before it is changed or deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRow {
    pub table: String,
    /// Names and values of its columns.
    pub columns: Vec<(String, Option<String>)>,
}

/// Returns the rows that the repair will change or delete.
pub fn affected_rows(store: &Store, repair: &Repair) -> Result<Vec<KeptRow>, StoreError> {
    let selections: Vec<(&str, String)> = match repair {
        Repair::DeleteRows(deletions) => deletions
            .iter()
            .map(|(table, condition)| (*table, condition.clone()))
            .collect(),
        Repair::SetCounters { .. } => vec![("counters", "1 = 1".to_owned())],
        Repair::SynchronizeMemberships => vec![("members", "1 = 1".to_owned())],
        Repair::CreateIndexes(_) | Repair::SetSequences(_) | Repair::InsertRoles(_) => Vec::new(),
    };
    store.read(|db| {
        let tables = db.tables()?;
        let mut kept = Vec::new();
        for (table, condition) in &selections {
            let Some(columns) = tables.iter().find(|found| found.name == *table) else {
                continue;
            };
            let texts: Vec<String> = columns
                .columns
                .iter()
                .map(|column| format!("CAST(\"{column}\" AS TEXT)"))
                .collect();
            let sql = format!("SELECT {} FROM {table} WHERE {condition}", texts.join(", "));
            kept.extend(db.rows(&sql, &[], |row| {
                let mut values = Vec::new();
                for column in &columns.columns {
                    values.push((column.clone(), row.next::<Option<String>>()?));
                }
                Ok(KeptRow {
                    table: (*table).to_owned(),
                    columns: values,
                })
            })?);
        }
        Ok(kept)
    })
}

/// Runs `work` on a file of contents unless an attachment refers to it by now. No attachment can start
/// to do so meanwhile, because only one transaction writes at a time. Returns whether `work` was run.
pub fn with_unused_content(
    store: &Store,
    sha256: String,
    work: impl FnOnce() -> io::Result<()> + Send + 'static,
) -> Result<bool, StoreError> {
    store.write(move |db| {
        if attachments::count_by_content(db, &sha256)? > 0 {
            return Ok(false);
        }
        work().map_err(|error| StoreError::Folder(sha256.clone(), error))?;
        let event = AuditEvent::new(RecordType::Doctor, 0, "moved a file of no attachment");
        db.audit(event.with_details(sha256));
        Ok(true)
    })
}

/// Repairs damage in one transaction, and records that in the audit log.
pub fn apply(store: &Store, repair: Repair) -> Result<(), StoreError> {
    store.write(move |db| {
        let change = match &repair {
            Repair::CreateIndexes(_) => "created indexes",
            Repair::DeleteRows(_) => "deleted rows",
            Repair::SetCounters { .. } => "set counters",
            Repair::SetSequences(_) => "set sequences",
            Repair::SynchronizeMemberships => "synchronized memberships",
            Repair::InsertRoles(_) => "inserted roles",
        };
        run(db, repair)?;
        db.audit(AuditEvent::new(RecordType::Doctor, 0, change));
        Ok(())
    })
}

fn run(db: &mut Write<'_>, repair: Repair) -> Result<(), StoreError> {
    match repair {
        Repair::CreateIndexes(statements) => {
            for sql in statements {
                db.execute(&sql, &[])?;
            }
        }
        Repair::DeleteRows(deletions) => {
            for (table, condition) in deletions {
                db.execute(&format!("DELETE FROM {table} WHERE {condition}"), &[])?;
            }
            db.catalogue_changed()?;
        }
        Repair::SetCounters { change } => {
            for (name, value) in [("change", change), ("catalogue", 1)] {
                let values: [Value; 2] = [name.into(), value.into()];
                db.execute(
                    "INSERT INTO counters (name, value) SELECT CAST(?1 AS TEXT), CAST(?2 AS BIGINT) WHERE NOT EXISTS (SELECT 1 FROM counters WHERE name = ?1)",
                    &values,
                )?;
                db.execute(
                    "UPDATE counters SET value = ?2 WHERE name = ?1 AND value < ?2",
                    &values,
                )?;
            }
        }
        Repair::SetSequences(sequences) => {
            for (table, id) in sequences {
                db.set_last_id(&table, id)?;
            }
        }
        Repair::SynchronizeMemberships => memberships::synchronize(db, &Scope::Everything)?,
        Repair::InsertRoles(builtins) => {
            for builtin in builtins {
                insert_role(db, builtin)?;
            }
        }
    }
    Ok(())
}

/// Inserts a built-in role without permissions, which grants what a missing one does. Another role may
/// have its name.
fn insert_role(db: &mut Write<'_>, builtin: Builtin) -> Result<(), StoreError> {
    let sql = "SELECT COUNT(*) FROM roles WHERE name = ?1";
    let names = std::iter::successors(Some(builtin.name().to_owned()), |name| {
        Some(format!("{name}_"))
    });
    for name in names {
        if db.query_i64(sql, &[(&name).into()])? > 0 {
            continue;
        }
        let role = Role {
            name,
            builtin: Some(builtin),
            ..Role::default()
        };
        roles::insert(db, &role)?;
        break;
    }
    db.catalogue_changed()
}
