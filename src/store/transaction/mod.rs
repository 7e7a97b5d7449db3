//! Read access to one snapshot, and write access within one transaction. The types differ, so that
//! the signature of a function shows whether it writes.

pub(crate) mod cache;
pub(crate) mod column_values;
pub(crate) mod shared;
pub(crate) mod snapshot;
pub(crate) mod sql;

pub mod changes;

use super::StoreError;
use super::engine::{FromColumn, StatementError, Value};
use crate::data_folder::secrets::Secrets;
use crate::transaction::cache::{IssueCache, IssueIds, SetQuery, SubjectScan};
use crate::transaction::column_values::ColumnValues;
use crate::transaction::shared::{Caches, Shared};
use crate::transaction::snapshot::Snapshot;
use jiff::Timestamp;
use quarry_domain::administration::audit::{Actor, AuditEvent};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::clock::Entropy;
use quarry_domain::index_feed::kind::Kind;
use std::ops::Deref;
use std::sync::Arc;

/// A snapshot of the records, with the catalogue as of that snapshot.
pub struct Read<'c> {
    snapshot: Snapshot<'c>,
    catalogue: Arc<Catalogue>,
    shared: &'c Shared,
    caches: Arc<Caches>,
    now: Timestamp,
}

impl<'c> Read<'c> {
    pub(crate) fn new(
        snapshot: Snapshot<'c>,
        catalogue: Arc<Catalogue>,
        shared: &'c Shared,
        caches: Arc<Caches>,
    ) -> Read<'c> {
        Read {
            snapshot,
            catalogue,
            shared,
            caches,
            now: shared.clock.now(),
        }
    }

    /// Returns the catalogue as of the snapshot.
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// Returns the time at which the snapshot or the transaction began.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Returns the source of random secrets.
    pub fn entropy(&self) -> &'c dyn Entropy {
        self.shared.entropy.as_ref()
    }

    /// Returns the secrets of the data folder.
    pub fn secrets(&self) -> &Secrets {
        &self.shared.secrets
    }

    /// Returns the cached set of the issues that match, and whether it is that of the snapshot.
    /// `None` within a transaction, which may see rows that are never committed.
    pub(crate) fn issue_set(
        &self,
        query: &dyn SetQuery,
    ) -> Result<Option<(Arc<IssueIds>, bool)>, StoreError> {
        if self.is_committed() {
            self.caches.issue_sets.load(self, query).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Returns the cache of issues; `None` within a transaction.
    pub(crate) fn issue_cache(&self) -> Option<&IssueCache> {
        self.is_committed().then_some(&self.caches.issues)
    }

    /// Returns the subjects of all issues in memory; `None` within a transaction.
    pub(crate) fn subject_scan(&self) -> Option<&SubjectScan> {
        self.is_committed().then_some(&self.caches.subjects)
    }
}

impl<'c> Deref for Read<'c> {
    type Target = Snapshot<'c>;

    fn deref(&self) -> &Snapshot<'c> {
        &self.snapshot
    }
}

/// A transaction that writes. Reads see its own writes; the catalogue is the one from before it
/// began.
pub struct Write<'c> {
    read: Read<'c>,
    /// The last change that this transaction has recorded.
    own_change: Option<i64>,
    /// Who writes.
    actor: Actor,
    /// The events for the audit log.
    audit_events: Vec<AuditEvent>,
    /// Whether the audit log gets what changes in the catalogue.
    catalogue_audit: CatalogueAudit,
}

/// Whether the changes of the catalogue in a transaction belong to the audit log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CatalogueAudit {
    /// Nothing has changed that it describes.
    #[default]
    Unneeded,
    Needed,
    /// The transaction is a part of an import, which has an event of its own.
    Suspended,
}

impl<'c> Write<'c> {
    pub(crate) fn new(read: Read<'c>) -> Write<'c> {
        let actor = Actor::of_process(read.shared.origin());
        Write {
            read,
            own_change: None,
            actor,
            audit_events: Vec::new(),
            catalogue_audit: CatalogueAudit::default(),
        }
    }

    /// Sets who writes, for the audit log. Without it, that is the service or the command line.
    pub fn set_actor(&mut self, actor: Actor) {
        self.actor = actor;
    }

    /// Returns who writes.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Returns the sequence number of the last change that this transaction has recorded, if any.
    pub fn own_change(&self) -> Option<i64> {
        self.own_change
    }

    /// Records an event, which is stored with the transaction, and logged after that is committed.
    /// What changes in the catalogue needs none, see
    /// [`differences`](quarry_domain::administration::audit::differences).
    pub fn audit(&mut self, event: AuditEvent) {
        self.audit_events.push(event);
    }

    /// Runs a part of the transaction, which is rolled back alone when it fails.
    pub fn attempt<T, E: From<StoreError>>(
        &mut self,
        part: impl FnOnce(&mut Write<'c>) -> Result<T, E>,
    ) -> Result<T, E> {
        let own_change = self.own_change;
        let event_count = self.audit_events.len();
        self.read.snapshot.set_savepoint("part")?;
        let outcome = part(self);
        if outcome.is_err() {
            self.own_change = own_change;
            self.audit_events.truncate(event_count);
        }
        self.read.snapshot.end_savepoint("part", outcome.is_ok())?;
        outcome
    }

    /// Returns the events that were recorded, for the log.
    pub fn audit_events(&self) -> &[AuditEvent] {
        &self.audit_events
    }

    /// Takes the events for the audit log.
    pub(crate) fn take_audit_events(&mut self) -> Vec<AuditEvent> {
        std::mem::take(&mut self.audit_events)
    }

    /// Replaces the events for the audit log.
    pub(crate) fn set_audit_events(&mut self, events: Vec<AuditEvent>) {
        self.audit_events = events;
    }

    /// Whether the catalogue must be compared with the one from before the transaction.
    pub(crate) fn needs_catalogue_audit(&self) -> bool {
        self.catalogue_audit == CatalogueAudit::Needed
    }

    /// Leaves what changes in the catalogue out of the audit log, in an import.
    pub(crate) fn suspend_catalogue_audit(&mut self) {
        self.catalogue_audit = CatalogueAudit::Suspended;
    }

    /// Runs a statement. Returns the number of rows that it changed.
    pub(crate) fn execute(&mut self, sql: &str, values: &[Value]) -> Result<usize, StoreError> {
        self.read.snapshot.execute(sql, values)
    }

    /// Runs an `INSERT … RETURNING id`. Returns the new id.
    pub(crate) fn insert<Id: FromColumn>(
        &mut self,
        sql: &str,
        values: &[Value],
    ) -> Result<Id, StoreError> {
        let id = self.read.first(sql, values, |row| row.next())?;
        id.ok_or_else(|| StatementError::Engine("an INSERT returned no row".to_owned()).into())
    }

    /// Inserts a row into a table whose rows have an id. Returns the new id.
    pub(crate) fn insert_record<Id: FromColumn>(
        &mut self,
        table: &str,
        columns: ColumnValues,
    ) -> Result<Id, StoreError> {
        let own_id = columns.id();
        let mut sql = columns.insert_into(table);
        sql.push(" RETURNING id");
        let id = self.insert(sql.text(), sql.values())?;
        if let Some(own_id) = own_id {
            self.continue_ids_after(table, own_id)?;
        }
        Ok(id)
    }

    /// Makes the next id that the engine chooses for a row of this table greater than this one.
    pub(crate) fn continue_ids_after(&mut self, table: &str, id: i64) -> Result<(), StoreError> {
        self.read.snapshot.continue_ids_after(table, id)
    }

    /// Inserts a row that has no id, or whose id nobody needs.
    pub(crate) fn insert_row(
        &mut self,
        table: &str,
        columns: ColumnValues,
    ) -> Result<(), StoreError> {
        let sql = columns.insert_into(table);
        self.execute(sql.text(), sql.values()).map(drop)
    }

    /// Updates these columns of the row with the id. Returns whether there is such a row.
    pub(crate) fn update_record(
        &mut self,
        table: &str,
        id: impl Into<Value>,
        columns: ColumnValues,
    ) -> Result<bool, StoreError> {
        let mut sql = columns.update(table);
        sql.push(" WHERE id = ").bind(id);
        Ok(self.execute(sql.text(), sql.values())? > 0)
    }

    /// Marks the catalogue as changed: the next snapshot loads it again. The audit log gets what has
    /// changed.
    pub(crate) fn catalogue_changed(&mut self) -> Result<(), StoreError> {
        if self.catalogue_audit == CatalogueAudit::Unneeded {
            self.catalogue_audit = CatalogueAudit::Needed;
        }
        self.unaudited_catalogue_changed()
    }

    /// Marks the catalogue as changed in parts that the audit log does not describe, such as
    /// bookmarks.
    pub(crate) fn unaudited_catalogue_changed(&mut self) -> Result<(), StoreError> {
        self.execute(
            "UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
            &[],
        )?;
        Ok(())
    }

    /// Records a change of the record. Returns its sequence number; `changes::record` is the public
    /// function.
    pub(crate) fn record_change(&mut self, kind: Kind, id: i64) -> Result<i64, StoreError> {
        let seq: i64 = self.insert(
            "UPDATE counters SET value = value + 1 WHERE name = 'change' RETURNING value",
            &[],
        )?;
        self.execute(
            "INSERT INTO changes (kind, id, seq) VALUES (?1, ?2, ?3) ON CONFLICT (kind, id) DO UPDATE SET seq = excluded.seq",
            &[i64::from(kind.code()).into(), id.into(), seq.into()],
        )?;
        self.own_change = Some(seq);
        Ok(seq)
    }
}

impl<'c> Deref for Write<'c> {
    type Target = Read<'c>;

    fn deref(&self) -> &Read<'c> {
        &self.read
    }
}
