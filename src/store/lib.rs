//! The records, in SQLite or PostgreSQL.
//!
//! Invariants: a write that has returned is on disk, and every change of a searchable record gets a
//! sequence number in the same transaction. Lists take the records that the viewer may see as a
//! `domain::access::visible::Visible`. This is the only module that contains SQL, in the subset
//! that SQLite and PostgreSQL share; differences are in `engine`. May import: `domain` and `net`.

mod engine;
mod error;
mod json;
mod migrations;
mod properties;
mod run;

pub mod accounts;
pub mod administration;
pub mod backup;
pub mod catalogue;
pub mod checks;
pub mod content;
pub mod copy;
pub mod data_folder;
pub mod disk;
pub mod files;
pub mod imported;
pub mod index_feed;
pub mod issues;
pub mod lists;
pub mod notices;
pub mod projects;
pub mod transaction;

pub use engine::{StatementTimes, Value, measure as measure_statements};
pub use error::StoreError;
pub use transaction::{Read, Write};

use accounts::memberships;
use backup::upgrade;
pub use data_folder::location::StoreLocation;
pub use data_folder::secrets::Secrets;
use data_folder::{file_mode, reserve};
use engine::{Connection, DatabaseLocation, Owner, Pool, Writer};
pub use engine::{Server, ServerError, tls};
use files::contents::Contents;
use index_feed::epochs;
pub use properties::demo_data;
use properties::node_secret;
use quarry_domain::administration::audit::{AuditEvent, Origin};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::clock::{Clock, Entropy, SystemClock, SystemEntropy};
pub use run::begin::ReadWork;
use run::begin::{self, WriteWork};
pub use run::slot::Slot;
use std::path::Path;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};
use transaction::shared::Shared;

/// Maximum number of idle read connections.
const MAX_IDLE_READERS: usize = 8;
/// Maximum time for which emptying the log may block writers.
const EMPTY_LOG_TIMEOUT: Duration = Duration::from_millis(200);

/// An open store. Share it in an `Arc`.
pub struct Store {
    pool: Pool,
    writer: Writer,
    shared: Arc<Shared>,
    contents: Contents,
    /// Locked for writing while the reserve of disk space is released, so that other writes do not
    /// use it up.
    reserve_lock: RwLock<()>,
}

impl Store {
    /// Opens the store, creates it in an empty folder or database, and applies pending migrations.
    /// Fails when the file is damaged, has an unknown schema, or is not a database.
    pub fn open(location: impl Into<StoreLocation>) -> Result<Store, StoreError> {
        Store::open_with(location, Arc::new(SystemClock), Arc::new(SystemEntropy))
    }

    /// Like [`Store::open`]; transactions take the time and random bytes from these sources.
    pub fn open_with(
        location: impl Into<StoreLocation>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Store, StoreError> {
        let location = location.into();
        let _room = if reserve::is_needed(&location.folder) {
            reserve::release(&location.folder)
        } else {
            None
        };
        let store = Store::open_as(location, Owner::ThisProcess, clock, entropy)?;
        store.write(|db| {
            epochs::start(db)?;
            memberships::synchronize(db, &memberships::Scope::Everything)
        })?;
        Ok(store)
    }

    /// Opens the store while a service serves the same folder. Skips what the service does at
    /// startup and shutdown: the integrity check, a new epoch and the checkpoint. So nothing is
    /// written except by callers. Fails as [`Store::open`] does, but damage of the file shows only when
    /// the damaged rows are read; and for a file with the schema of an earlier version, which the
    /// service still uses.
    pub fn open_secondary(location: impl Into<StoreLocation>) -> Result<Store, StoreError> {
        let store = Store::open_as(
            location.into(),
            Owner::OtherProcess,
            Arc::new(SystemClock),
            Arc::new(SystemEntropy),
        )?;
        store.set_origin(Origin::CommandLine);
        // The first write after a replica was promoted may be this process's.
        if store.file().is_none() {
            store.write(epochs::start)?;
        }
        Ok(store)
    }

    /// Opens the store to read it while no process uses it. Changes no file, also not the log that a
    /// killed process has left. Writes fail.
    pub fn open_at_rest(location: &StoreLocation) -> Result<Store, StoreError> {
        let database = location.database_at_rest();
        Store::open_database(
            location.clone(),
            database,
            Owner::OtherProcess,
            Arc::new(SystemClock),
            Arc::new(SystemEntropy),
        )
    }

    fn open_as(
        location: StoreLocation,
        owner: Owner,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Store, StoreError> {
        let database = location.database();
        Store::open_database(location, database, owner, clock, entropy)
    }

    fn open_database(
        location: StoreLocation,
        database: DatabaseLocation,
        owner: Owner,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Store, StoreError> {
        let folder = location.folder.clone();
        let folder_error =
            |error: std::io::Error| StoreError::Folder(folder.display().to_string(), error);
        file_mode::create_dir(&folder).map_err(folder_error)?;
        backup::check_complete(&folder)?;
        if owner == Owner::ThisProcess {
            file_mode::restrict(&folder, |_| true);
        }
        let folder_secrets = match location.server {
            Some(_) => None,
            None => Some(location.secrets()?),
        };
        let mut connection = Connection::open_writer(&database)?;
        if location.server.is_none() && owner == Owner::OtherProcess {
            migrations::check_current(&connection, &database)?;
        }
        if location.backs_up_before_upgrade {
            upgrade::copy_database(&location, &connection)?;
        }
        connection.migrate(migrations::ALL, &migrations::note_program())?;
        // Before a secret is created: the copy brings its own.
        if properties::find(&connection, properties::COPY)?.is_some() {
            return Err(StoreError::IncompleteCopy(database.name()));
        }
        let secrets = match folder_secrets {
            Some(secrets) => {
                if owner == Owner::ThisProcess {
                    node_secret::check_folder(&connection, &secrets, &location)?;
                }
                secrets
            }
            None => node_secret::load(&connection, &location)?,
        };
        if owner == Owner::ThisProcess {
            connection.check()?;
        }
        let contents = Contents::open(&location, &connection, owner == Owner::ThisProcess)?;
        let shared = Arc::new(Shared::new(
            folder.clone(),
            database.clone(),
            secrets,
            clock,
            entropy,
        ));
        let reconnected = Arc::clone(&shared);
        let ended = Arc::clone(&shared);
        let writer = Writer::start(
            connection,
            &database,
            owner,
            move || begin::reconnect(&reconnected),
            move |is_committed| ended.end_group(is_committed),
        )
        .map_err(folder_error)?;
        let store = Store {
            pool: Pool::new(database, MAX_IDLE_READERS),
            writer,
            shared,
            contents,
            reserve_lock: RwLock::default(),
        };
        // Publishes the last change.
        store.read(|_| Ok::<_, StoreError>(()))?;
        Ok(store)
    }

    /// Runs `work` on one snapshot of the records. Blocks; call it from a thread that may block.
    pub fn read<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Read<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.read_until(None, work)
    }

    /// Like [`Store::read`]; statements that still run at the deadline fail, see
    /// [`StoreError::is_timeout`].
    pub fn read_until<T, E: From<StoreError>>(
        &self,
        deadline: Option<Instant>,
        work: impl FnOnce(&Read<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut outcome = None;
        self.run_read(deadline, Box::new(|db| outcome = Some(work(db))))?;
        outcome.unwrap_or_else(|| Err(E::from(StoreError::Closed)))
    }

    /// Runs `work` in a transaction: when this returns, either all of it is on disk or nothing.
    /// Blocks.
    pub fn write<T, E>(
        &self,
        work: impl FnOnce(&mut Write<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.write_by(Store::run_write, work)
    }

    /// Like [`Store::write`], for writes that must succeed on a full disk: logins and deletions.
    /// While little space is free, these writes use the reserve, one at a time, if there is one.
    pub fn write_with_reserve<T, E>(
        &self,
        work: impl FnOnce(&mut Write<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.write_by(Store::run_write_with_reserve, work)
    }

    /// Runs `work` by `run`, and returns its outcome.
    fn write_by<T, E>(
        &self,
        run: fn(&Store, WriteWork) -> Result<(), StoreError>,
        work: impl FnOnce(&mut Write<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let slot = Slot::default();
        let filled_slot = slot.clone();
        let plain_work = move |db: &mut Write<'_>| {
            let outcome = work(db);
            let keep = outcome.is_ok();
            filled_slot.fill(outcome);
            Ok(keep)
        };
        run(self, Box::new(plain_work))?;
        slot.take()
            .unwrap_or_else(|| Err(E::from(StoreError::Closed)))
    }

    /// Runs a checkpoint that empties the write-ahead log, so that no deleted rows remain in it.
    /// Returns `false` if readers or writers use the log. A server empties its log itself.
    pub fn empty_log(&self) -> Result<bool, StoreError> {
        match self.file() {
            Some(file) => Ok(engine::empty_log(file, EMPTY_LOG_TIMEOUT)?),
            None => Ok(true),
        }
    }

    /// Reserves disk space for [`Store::write_with_reserve`], as much of 16 MiB as is free.
    pub fn reserve_space(&self) {
        if self.file().is_some() {
            reserve::fill(self.folder());
        }
    }

    /// Enqueues `work` to run in a transaction, and returns at once; also within a read. The write
    /// is dropped when the queue or the disk is full, so it is only for values that may be lost,
    /// such as a count of downloads.
    pub fn write_later(
        &self,
        work: impl FnOnce(&mut Write<'_>) -> Result<(), StoreError> + Send + 'static,
    ) {
        self.run_write_later(Box::new(|db| work(db).map(|()| true)));
    }

    /// Stores an event of the audit log in a transaction of its own, for what changes no record: a
    /// backup, an export, an index that is rebuilt. Its origin is the service or the command line,
    /// whichever has opened the store.
    pub fn record_event(&self, event: AuditEvent) -> Result<(), StoreError> {
        self.write(move |db| {
            db.audit(event);
            Ok(())
        })
    }

    /// Returns the current catalogue.
    pub fn catalogue(&self) -> Result<Arc<Catalogue>, StoreError> {
        self.read(|db| Ok(Arc::clone(db.catalogue())))
    }

    /// Returns the secrets of the data folder.
    pub fn secrets(&self) -> &Secrets {
        &self.shared.secrets
    }

    /// Sets by what this process writes, for the audit log: the service itself, or a command. Only the
    /// first call counts.
    pub fn set_origin(&self, origin: Origin) {
        self.shared.set_origin(origin);
    }

    /// Returns the data folder.
    pub fn folder(&self) -> &Path {
        &self.shared.folder
    }

    /// Returns where the contents of attachments are.
    pub(crate) fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Returns the name of the database for messages, without a password.
    pub fn location_name(&self) -> String {
        self.shared.location.name()
    }

    /// Returns the time of the database server; `None` with SQLite.
    pub fn server_time(&self) -> Result<Option<jiff::Timestamp>, StoreError> {
        self.read(|db| db.server_time())
    }

    /// Returns the path of the SQLite file; `None` when the records are on a server.
    pub fn file(&self) -> Option<&Path> {
        match &self.shared.location {
            DatabaseLocation::File(path) | DatabaseLocation::AtRest(path) => Some(path),
            DatabaseLocation::Server(_) => None,
        }
    }

    /// Whether several nodes may serve these records: they are on a server.
    pub fn is_shared(&self) -> bool {
        self.file().is_none()
    }

    /// Loads the subjects of all issues into memory, so that the first lists do not wait for them.
    /// Blocks.
    pub fn warm(&self) -> Result<(), StoreError> {
        self.read(|db| match db.subject_scan() {
            Some(subjects) => subjects.apply_changes(db),
            None => Ok(()),
        })
    }

    /// Finishes the pending writes and closes the file.
    pub fn close(&self) {
        self.pool.close();
        self.writer.close();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::{Read, Store};
    use std::time::{Duration, Instant};

    #[test]
    fn statement_is_stopped_at_its_deadline_and_the_connection_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n";
        let soon = Instant::now() + Duration::from_millis(20);
        let stopped = store.read_until(Some(soon), |db| db.query_i64(endless, &[]));
        assert!(stopped.unwrap_err().is_timeout());
        let count = |db: &Read<'_>| db.query_i64("SELECT COUNT(*) FROM counters", &[]);
        assert_eq!(
            store.read_until(None, count).unwrap(),
            store.read(count).unwrap()
        );
        store.close();
    }

    #[test]
    fn secondary_store_writes_nothing_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let service = Store::open(folder.path()).unwrap();
        let files = || {
            ["", "-wal"].map(|end| {
                std::fs::read(folder.path().join(format!("quarry.sqlite3{end}"))).unwrap()
            })
        };
        let before = files();
        let secondary = Store::open_secondary(folder.path()).unwrap();
        assert_eq!(
            secondary
                .read(|db| db.query_i64("SELECT COUNT(*) FROM epochs", &[]))
                .unwrap(),
            1
        );
        secondary.close();
        assert!(files() == before);
        Store::open(folder.path()).unwrap().close();
        assert!(files() != before);
        service.close();
    }
}
