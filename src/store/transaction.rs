//! Reading one snapshot, writing in one transaction. The types differ, so that a signature says whether it writes.

use super::engine::{Connection, FromColumn, Row, StatementError, Value};
use super::remembered::{Ids, Question};
use super::secrets::Secrets;
use super::{Shared, StoreError, catalogue};
use crate::domain::catalogue::Catalogue;
use crate::domain::kind::Kind;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How often a request with a deadline looks whether a mutex is free.
const LOCK_CHECK: Duration = Duration::from_millis(1);

/// A snapshot of the records: everything read through it belongs together.
pub struct Read<'c> {
    connection: &'c Connection,
    catalogue: Arc<Catalogue>,
    shared: &'c Shared,
    /// Whether everything that is read is committed.
    committed: bool,
    /// The number of the last change when this was begun.
    change: i64,
}

impl<'c> Read<'c> {
    pub(super) fn snapshot<T, E: From<StoreError>>(
        connection: &'c Connection,
        shared: &'c Shared,
        work: impl FnOnce(&Read<'c>) -> Result<T, E>,
    ) -> Result<T, E> {
        connection.begin_read().map_err(StoreError::from)?;
        let answer = Read::over(connection, shared, true).map_err(E::from).and_then(|db| {
            if shared.catalogue.load().version != db.catalogue.version {
                shared.catalogue.store(Arc::clone(&db.catalogue));
            }
            work(&db)
        });
        connection.end_read().map_err(StoreError::from)?;
        answer
    }

    /// Reads the counters first: that holds the snapshot, and tells whether the names and rights in memory are
    /// still those of the file.
    fn over(connection: &'c Connection, shared: &'c Shared, committed: bool) -> Result<Read<'c>, StoreError> {
        let known = shared.catalogue.load_full();
        let mut db = Read { connection, catalogue: known, shared, committed, change: 0 };
        let counters =
            "SELECT c.value, (SELECT d.value FROM counters d WHERE d.name = 'change') FROM counters c WHERE c.name = 'catalogue'";
        let found: Option<(i64, Option<i64>)> = db.first(counters, &[], |row| Ok((row.read(0)?, row.read(1)?)))?;
        let (version, change) = found.unwrap_or_default();
        db.change = change.unwrap_or_default();
        if db.catalogue.version != version {
            // Shared only by snapshots: within a transaction it may speak of what is never committed.
            db.catalogue = Arc::new(catalogue::load(&db, version)?);
        }
        Ok(db)
    }

    /// Names, rights and settings as of the snapshot.
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// Runs work for everybody without the deadline of this request: what it reads into memory is lost when it is stopped midway.
    pub(super) fn without_deadline<T>(&self, work: impl FnOnce() -> T) -> T {
        let deadline = self.connection.deadline();
        self.connection.set_deadline(None);
        let outcome = work();
        self.connection.set_deadline(deadline);
        outcome
    }

    /// Locks a mutex. Fails with [`StatementError::TimedOut`] when others hold it until the deadline of this request.
    pub(super) fn lock<'m, T>(&self, mutex: &'m Mutex<T>) -> Result<MutexGuard<'m, T>, StoreError> {
        let Some(deadline) = self.deadline() else { return Ok(mutex.lock().unwrap_or_else(PoisonError::into_inner)) };
        loop {
            match mutex.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Err(StatementError::TimedOut.into()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_CHECK),
            }
        }
    }

    /// When what is read must be ready, if it was read with a deadline.
    pub fn deadline(&self) -> Option<Instant> {
        self.connection.deadline()
    }

    /// The secrets of the data folder.
    pub fn secrets(&self) -> &Secrets {
        &self.shared.secrets
    }

    /// The number of the last change of a snapshot; none within a transaction, which may have made more.
    pub(super) fn last_change(&self) -> Option<i64> {
        self.committed.then_some(self.change)
    }

    /// How many issues there are of each class; none within a transaction, which may
    /// count what is never committed.
    pub(super) fn classes(&self) -> Option<&super::classes::Classes> {
        self.committed.then_some(&self.shared.classes)
    }

    /// The issues that fit a question, remembered from one request to the next, and whether they are those of the snapshot; none
    /// within a transaction, likewise.
    pub(super) fn set(&self, question: &dyn Question) -> Result<Option<(Arc<Ids>, bool)>, StoreError> {
        if self.committed { self.shared.sets.of(self, question).map(Some) } else { Ok(None) }
    }

    /// Issues as they were read lately; none within a transaction, likewise.
    pub(super) fn shelf(&self) -> Option<&super::issues::Shelf> {
        self.committed.then_some(&self.shared.shelf)
    }

    /// The subjects of all issues in memory; none within a transaction, likewise.
    pub(super) fn subjects(&self) -> Option<&super::subjects::Subjects> {
        self.committed.then_some(&self.shared.subjects)
    }

    /// How the engine goes about a query, a line for each step; the lines are the engine's own.
    pub(super) fn plan(&self, sql: &str, values: &[Value]) -> Result<Vec<String>, StoreError> {
        Ok(self.connection.plan(sql, values)?)
    }

    /// Hands every row of an answer to `take`.
    pub(super) fn each(
        &self,
        sql: &str,
        values: &[Value],
        take: impl FnMut(&Row<'_>) -> Result<(), StatementError>,
    ) -> Result<(), StoreError> {
        Ok(self.connection.each(sql, values, take)?)
    }

    /// Every row of an answer, as `make` makes it.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        values: &[Value],
        mut make: impl FnMut(&Row<'_>) -> Result<T, StatementError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut rows = Vec::new();
        self.connection.each(sql, values, |row| {
            rows.push(make(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The first row of an answer, if there is one.
    pub(super) fn first<T>(
        &self,
        sql: &str,
        values: &[Value],
        make: impl FnMut(&Row<'_>) -> Result<T, StatementError>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.rows(sql, values, make)?.into_iter().next())
    }

    /// The one column of every row.
    pub(super) fn column<T: FromColumn>(&self, sql: &str, values: &[Value]) -> Result<Vec<T>, StoreError> {
        self.rows(sql, values, |row| row.read(0))
    }

    /// The one number of an answer; 0 when there is no row.
    pub(super) fn number(&self, sql: &str, values: &[Value]) -> Result<i64, StoreError> {
        Ok(self.first(sql, values, |row| row.read(0))?.unwrap_or(0))
    }
}

/// A transaction that writes. Reads through it see what it has written; names and rights are those from before it began.
pub struct Write<'c> {
    read: Read<'c>,
    /// The number of the last change that this transaction has recorded.
    own_change: Option<i64>,
}

impl<'c> Write<'c> {
    pub(super) fn run<T, E: From<StoreError>>(
        connection: &'c Connection,
        shared: &'c Shared,
        work: impl FnOnce(&mut Write<'c>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut db = Write { read: Read::over(connection, shared, false)?, own_change: None };
        work(&mut db)
    }

    /// The number of the last change that this transaction has recorded; `None` when it has recorded none.
    pub fn own_change(&self) -> Option<i64> {
        self.own_change
    }

    /// Runs a statement; the number of rows that it touched.
    pub(super) fn execute(&mut self, sql: &str, values: &[Value]) -> Result<usize, StoreError> {
        Ok(self.read.connection.execute(sql, values)?)
    }

    /// Runs an `INSERT … RETURNING id`; the new number.
    pub(super) fn insert<Id: FromColumn>(&mut self, sql: &str, values: &[Value]) -> Result<Id, StoreError> {
        let id = self.read.first(sql, values, |row| row.read(0))?;
        id.ok_or_else(|| StatementError::Engine("an insert answered no row".to_owned()).into())
    }

    /// Says that names, rights or settings have changed: the next request reads them anew.
    pub(super) fn catalogue_changed(&mut self) -> Result<(), StoreError> {
        self.execute("UPDATE counters SET value = value + 1 WHERE name = 'catalogue'", &[])?;
        Ok(())
    }

    /// Gives the record's change a number; `changes::record` is its public name.
    pub(super) fn next_change(&mut self, kind: Kind, id: i64) -> Result<i64, StoreError> {
        let seq: i64 = self.insert("UPDATE counters SET value = value + 1 WHERE name = 'change' RETURNING value", &[])?;
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
