//! The transactions of a connection. Their control statements wait in `pending` and are sent with
//! the next statement.

use super::Connection;
use crate::engine::postgres::commit::Commit;
use crate::engine::{StatementError, Value};
use std::fmt::Write as _;

/// The advisory lock of the only writer among all nodes. The key is "quarry" in ASCII.
const WRITER_LOCK: i64 = 0x71_75_61_72_72_79;

impl Connection {
    /// Begins a read transaction: one snapshot until [`Connection::end_read`].
    pub fn begin_read(&self) -> Result<(), StatementError> {
        self.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        self.snapshot_rows.borrow_mut().reset(true);
        Ok(())
    }

    /// Ends the read transaction, if there is one, without waiting for the server.
    pub fn end_read(&self) -> Result<(), StatementError> {
        self.snapshot_rows.borrow_mut().reset(false);
        let pending = self.take_pending();
        if !self.is_in_transaction.replace(false) || self.is_lost() {
            return Ok(());
        }
        match pending {
            // The server rolls back when a statement has failed.
            None => self.send("COMMIT"),
            Some(pending) if pending.starts_with("ROLLBACK") => self.send("ROLLBACK"),
            // `BEGIN` has not been sent.
            Some(_) => {}
        }
        Ok(())
    }

    /// Begins a transaction that writes, and waits until no other node writes. At READ COMMITTED,
    /// each statement sees what was committed before; the snapshot of a REPEATABLE READ transaction
    /// would be taken before the wait.
    pub fn begin_write(&self) -> Result<(), StatementError> {
        self.begin(&format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock({WRITER_LOCK})"
        ));
        self.send_pending()
    }

    /// Like [`Connection::begin_write`], but waits for the lock without a timeout, because another
    /// node may be migrating.
    pub(in crate::engine::postgres) fn begin_write_without_timeout(
        &self,
    ) -> Result<(), StatementError> {
        self.begin(&format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 0; \
             SELECT pg_advisory_xact_lock({WRITER_LOCK})"
        ));
        self.send_pending()
    }

    /// Commits the transaction, with a row in `commits` by which another connection can look it up.
    pub fn commit(&self) -> Result<(), StatementError> {
        let commit = {
            let mut commit = self.commit.borrow_mut();
            commit.number += 1;
            commit.clone()
        };
        // When one of these statements fails, the server skips the rest: COMMIT alone would end a
        // failed transaction without an error.
        self.push_pending(&format!(
            "INSERT INTO commits (writer, number, committed_on) VALUES ('{}', {}, now()) \
             ON CONFLICT (writer) DO UPDATE SET number = excluded.number, committed_on = excluded.committed_on; COMMIT",
            commit.writer, commit.number
        ));
        self.is_in_transaction.set(false);
        self.is_committing.set(true);
        let outcome = self.send_pending();
        self.is_committing.set(false);
        outcome
    }

    /// Rolls the transaction back.
    pub fn roll_back(&self) -> Result<(), StatementError> {
        self.take_pending();
        self.is_in_transaction.set(false);
        self.abort_cause.take();
        self.push_pending("ROLLBACK");
        self.send_pending()
    }

    /// Sets a savepoint.
    pub fn set_savepoint(&self, name: &str) -> Result<(), StatementError> {
        let unique_name = self.savepoints.borrow_mut().add(name);
        self.push_pending(&format!("SAVEPOINT {unique_name}"));
        Ok(())
    }

    /// Releases the savepoint with this name. The changes since then are kept or rolled back. If a
    /// statement has failed since then, they are rolled back, and keeping them is an error.
    pub fn end_savepoint(&self, name: &str, keep: bool) -> Result<(), StatementError> {
        let abort_cause = self.abort_cause.take();
        let name = self.savepoints.borrow_mut().take(name)?;
        if !keep || abort_cause.is_some() {
            self.push_pending(&format!("ROLLBACK TO {name}"));
        }
        self.push_pending(&format!("RELEASE {name}"));
        if let Some(cause) = abort_cause.filter(|_| keep) {
            return Err(cause);
        }
        Ok(())
    }

    /// Returns the error of the statement that has failed since the last savepoint, which must be
    /// rolled back.
    pub fn abort_cause(&self) -> Option<StatementError> {
        let cause = self.abort_cause.borrow();
        cause.as_ref().map(StatementError::for_another_caller)
    }

    /// Returns the last commit if the connection is lost, so that its outcome is unknown.
    pub fn lost_commit(&self) -> Option<Commit> {
        self.is_lost().then(|| self.commit.borrow().clone())
    }

    /// Whether the server has committed this transaction. Waits for the lock of the writer, that
    /// is, until the transaction of the lost connection has ended.
    pub fn has_committed(&self, commit: &Commit) -> Result<bool, StatementError> {
        self.begin_write()?;
        let mut number = None;
        let sql = "SELECT number FROM commits WHERE writer = ?1";
        self.for_each_row(sql, &[commit.writer.as_str().into()], &mut |row| {
            number = row.next()?;
            Ok(())
        })?;
        self.roll_back()?;
        Ok(number == Some(commit.number))
    }

    /// Deletes the rows of connections that have not written for a day.
    pub fn delete_old_commits(&self) -> Result<(), StatementError> {
        let sql = "DELETE FROM commits WHERE committed_on < now() - interval '1 day'";
        self.execute(sql, &[]).map(drop)
    }

    /// Makes the next generated id of this table greater than this one.
    pub fn continue_ids_after(&self, table: &str, id: i64) -> Result<(), StatementError> {
        let values: [Value; 2] = [table.into(), id.into()];
        self.execute("SELECT continue_ids_after(?1, ?2)", &values)
            .map(drop)
    }

    fn begin(&self, sql: &str) {
        self.snapshot_rows.borrow_mut().reset(false);
        self.take_pending();
        self.abort_cause.take();
        self.savepoints.take();
        // A panic within a transaction has left it open.
        if self.is_in_transaction.replace(true) {
            self.push_pending("ROLLBACK");
        }
        self.push_pending(sql);
    }

    fn push_pending(&self, sql: &str) {
        // Writing to a `String` cannot fail.
        let _ = write!(self.pending.borrow_mut(), "{sql}; ");
    }

    /// Takes the statements that have not been sent yet; `None` if there are none.
    pub(super) fn take_pending(&self) -> Option<String> {
        let pending = std::mem::take(&mut *self.pending.borrow_mut());
        (!pending.is_empty()).then_some(pending)
    }
}
