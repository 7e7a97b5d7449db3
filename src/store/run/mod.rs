//! Runs the work of [`Store::read`], [`Store::write`] and their variants.
//!
//! Hundreds of callers have work of different types. Invariant: nothing here is generic, so that
//! snapshots, transactions and the queue of the writer are compiled once.

pub mod begin;
pub mod slot;

mod last_change;

use crate::data_folder::reserve;
use crate::engine::{self, Work, WriterClosed};
use crate::{Store, StoreError};
use begin::{ReadWork, WriteWork};
use slot::Slot;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

impl Store {
    /// Runs `work` in a read snapshot, see [`Store::read_until`]; the closure keeps its own result. If
    /// it has none afterwards, the caller returns [`StoreError::Closed`].
    pub fn run_read(
        &self,
        deadline: Option<Instant>,
        work: ReadWork<'_>,
    ) -> Result<(), StoreError> {
        let outcome = begin::read(&self.pool, &self.shared, deadline, work);
        // The epoch of another history begins with the first write: at once, so that the numbers of
        // lost changes are passed and nobody waits for those.
        if self.shared.take_new_history() {
            self.run_write_later(Box::new(|_| Ok(true)));
        }
        outcome
    }

    /// See [`Store::write`]. Returns `Ok` also when `work` was rolled back as it wanted.
    pub(crate) fn run_write(&self, work: WriteWork) -> Result<(), StoreError> {
        let _not_released = self
            .reserve_lock
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        self.run_write_now(work)
    }

    /// See [`Store::write_with_reserve`].
    pub(crate) fn run_write_with_reserve(&self, work: WriteWork) -> Result<(), StoreError> {
        let Some(file) = self.file() else {
            return self.run_write(work);
        };
        if !reserve::is_needed(self.folder()) {
            let outcome = self.run_write(work);
            reserve::refill(self.folder());
            return outcome;
        }
        let _released = self
            .reserve_lock
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let room = reserve::release(self.folder());
        let outcome = self.run_write_now(work);
        // Otherwise the log would grow with each of these writes, until it has used up the reserve.
        if room.is_some()
            && let Err(error) = engine::checkpoint(file)
        {
            tracing::warn!(error = %error, "the checkpoint after a write with the reserve of disk space failed");
        }
        outcome
    }

    fn run_write_now(&self, work: WriteWork) -> Result<(), StoreError> {
        let shared = Arc::clone(&self.shared);
        let failure = Slot::default();
        let reported_failure = failure.clone();
        let work: Work = Box::new(move |connection| {
            begin::write(connection, &shared, work).unwrap_or_else(|error| {
                reported_failure.fill(error);
                false
            })
        });
        match self.writer.write(work) {
            Ok(written) => written?,
            Err(WriterClosed) => return Err(StoreError::Closed),
        }
        failure.take().map_or(Ok(()), Err)
    }

    /// See [`Store::write_later`].
    pub(crate) fn run_write_later(&self, work: WriteWork) {
        let shared = Arc::clone(&self.shared);
        let work: Work = Box::new(move |connection| {
            begin::write(connection, &shared, work).unwrap_or_else(|error| {
                tracing::warn!(error = %error, "a deferred write failed");
                false
            })
        });
        if !self.writer.enqueue(work) {
            tracing::debug!("the write queue is full; a deferred write was dropped");
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use crate::{Store, StoreError, Write};

    #[derive(Debug)]
    enum WorkError {
        Refused,
        Store,
    }

    impl From<StoreError> for WorkError {
        fn from(_: StoreError) -> WorkError {
            WorkError::Store
        }
    }

    fn insert(db: &mut Write<'_>) -> Result<usize, StoreError> {
        db.execute("INSERT INTO counters (name, value) VALUES ('test', 1)", &[])
    }

    #[test]
    fn write_that_fails_or_panics_is_rolled_back_and_its_error_returned() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let refused: Result<(), WorkError> = store.write(|db| {
            insert(db)?;
            Err(WorkError::Refused)
        });
        assert!(matches!(refused, Err(WorkError::Refused)));
        let panicked: Result<(), StoreError> = store.write(|db| {
            insert(db)?;
            panic!("on purpose");
        });
        assert!(matches!(panicked, Err(StoreError::Closed)));
        assert_eq!(store.write(insert).unwrap(), 1, "nothing was left");
        let repeated: Result<(), WorkError> = store.write(|db| {
            insert(db)?;
            Ok(())
        });
        assert!(matches!(repeated, Err(WorkError::Store)));
        store.close();
        assert!(matches!(store.write(insert), Err(StoreError::Closed)));
    }
}
