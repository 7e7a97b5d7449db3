//! What is remembered?
//!
//! The records, in SQLite. Invariant: a write that was answered is on disk, and every change of something that can be found
//! has its number in the same transaction. This is the only room that says SQL, in the subset that SQLite and PostgreSQL
//! share; what differs is in `engine`. Whoever lists records says who asks: lists take a `domain::visibility::Visible`.
//! May import: `domain`.

mod classes;
mod engine;
mod error;
mod json;
mod migrations;
mod remembered;
mod sql;
mod subjects;
mod transaction;
mod visibility;

pub mod attachments;
pub mod catalogue;
pub mod categories;
pub mod changes;
pub mod containers;
pub mod contents;
pub mod custom_fields;
pub mod documents;
pub mod enumerations;
pub mod file_mode;
pub mod filter;
pub mod found;
pub mod histories;
pub mod imported;
pub mod issues;
pub mod journals;
pub mod messages;
pub mod news;
pub mod page_size;
pub mod projects;
pub mod queries;
pub mod relations;
pub mod repositories;
pub mod roles;
pub mod schedule;
pub mod searchable;
pub mod secrets;
pub mod settings;
pub mod sort;
pub mod subtasks;
pub mod time_entries;
pub mod trackers;
pub mod users;
pub mod versions;
pub mod watchers;
pub mod wiki;
pub mod wiki_redirects;
pub mod workflow;

pub use engine::Value;
pub use error::StoreError;
pub use transaction::{Read, Write};

use crate::domain::catalogue::Catalogue;
use crate::domain::clock::SystemEntropy;
use arc_swap::ArcSwap;
use engine::{Connection, Keeper, Pool, Writer};
use secrets::Secrets;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many idle connections for reading are kept.
const READERS: usize = 8;

/// The open store. Share it in an `Arc`.
pub struct Store {
    pool: Pool,
    writer: Writer,
    shared: Arc<Shared>,
}

/// What readers and the writing thread have in common.
struct Shared {
    path: PathBuf,
    secrets: Secrets,
    catalogue: ArcSwap<Catalogue>,
    last_change: Mutex<i64>,
    changed: Condvar,
    classes: classes::Classes,
    sets: remembered::Sets,
    subjects: subjects::Subjects,
    shelf: issues::Shelf,
}

impl Store {
    /// Opens the store in the data folder, makes it when the folder is empty, and brings it to the latest version.
    /// Fails when the file is damaged, of a later version, or not a database.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let store = Store::over(folder, Keeper::This)?;
        store.write(|db| histories::begin(db, &SystemEntropy))?;
        Ok(store)
    }

    /// Opens the store of a folder that a service is serving. The service has looked the file through when it began, goes on with the
    /// history and moves the log; whatever is written makes each of its readers read again what it had in memory. So nothing is
    /// written here that was not asked for, unless the file is of an earlier version. Fails as [`Store::open`] does, but that damage is
    /// found only by who reads what is damaged.
    pub fn open_beside(folder: &Path) -> Result<Store, StoreError> {
        Store::over(folder, Keeper::Other)
    }

    fn over(folder: &Path, keeper: Keeper) -> Result<Store, StoreError> {
        file_mode::create_dir(folder).map_err(|error| StoreError::Folder(folder.display().to_string(), error))?;
        let path = folder.join("quarry.sqlite3");
        if keeper == Keeper::This {
            file_mode::restrict(folder, |_| true);
        }
        let has_records = std::fs::metadata(&path).is_ok_and(|about| about.len() > 0);
        let secrets = if has_records { Secrets::load(folder)? } else { Secrets::load_or_create(folder)? };
        let mut connection = Connection::open_writer(&path)?;
        connection.migrate(&path, migrations::ALL)?;
        if keeper == Keeper::This {
            connection.check()?;
        }
        let shared = Arc::new(Shared {
            path: path.clone(),
            secrets,
            catalogue: ArcSwap::default(),
            last_change: Mutex::new(0),
            changed: Condvar::new(),
            classes: classes::Classes::default(),
            sets: remembered::Sets::default(),
            subjects: subjects::Subjects::default(),
            shelf: issues::Shelf::default(),
        });
        shared.publish(&connection);
        let publisher = Arc::clone(&shared);
        let writer = Writer::start(connection, &path, keeper, move |connection| publisher.publish(connection))
            .map_err(|error| StoreError::Folder(folder.display().to_string(), error))?;
        Ok(Store { pool: Pool::new(path, READERS), writer, shared })
    }

    /// Runs `work` over one snapshot of the records. Blocks; call it from a thread that may wait.
    pub fn read<T, E: From<StoreError>>(&self, work: impl FnOnce(&Read<'_>) -> Result<T, E>) -> Result<T, E> {
        let answer = self.pool.with(|connection| Read::snapshot(connection, &self.shared, work));
        answer.unwrap_or_else(|error| Err(E::from(StoreError::from(error))))
    }

    /// The same; statements that still run at the deadline fail, see [`StoreError::is_timeout`].
    pub fn read_until<T, E: From<StoreError>>(
        &self,
        deadline: Option<Instant>,
        work: impl FnOnce(&Read<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let answer = self.pool.with(|connection| {
            Read::snapshot(connection, &self.shared, |db| {
                connection.set_deadline(deadline);
                let outcome = work(db);
                connection.set_deadline(None);
                outcome
            })
        });
        answer.unwrap_or_else(|error| Err(E::from(StoreError::from(error))))
    }

    /// Runs `work` in a transaction: either all of it is on disk when this returns, or nothing. Blocks.
    pub fn write<T, E>(&self, work: impl FnOnce(&mut Write<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let shared = Arc::clone(&self.shared);
        let outcome = self.writer.write(move |connection| Write::run(connection, &shared, work).map_err(Undone));
        match outcome {
            Ok(outcome) => outcome.map_err(|undone| undone.0),
            Err(engine::Gone) => Err(E::from(StoreError::Closed)),
        }
    }

    /// Runs `work` in a transaction soon, without waiting for it; within a read too. For what may be lost when too many writes wait or the
    /// disk is full, such as a count.
    pub fn write_later(&self, work: impl FnOnce(&mut Write<'_>) -> Result<(), StoreError> + Send + 'static) {
        let shared = Arc::clone(&self.shared);
        if !self.writer.enqueue(move |connection| Write::run(connection, &shared, work)) {
            tracing::debug!("too many writes wait; one that nobody waits for is left out");
        }
    }

    /// The names, rights and settings as of now.
    pub fn catalogue(&self) -> Result<Arc<Catalogue>, StoreError> {
        self.read(|db| Ok(Arc::clone(db.catalogue())))
    }

    /// The secrets of the data folder.
    pub fn secrets(&self) -> &Secrets {
        &self.shared.secrets
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        self.shared.path.parent().unwrap_or(Path::new(""))
    }

    /// The file in which the records are.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// The number of the last change that this process has committed or seen.
    pub fn last_change(&self) -> i64 {
        *self.shared.last_change.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is a change after `seen`, at most `patience`; the number of the last change. Changes by other
    /// processes are noticed when the time is up.
    pub fn wait_for_change(&self, seen: i64, patience: Duration) -> i64 {
        let last = self.shared.last_change.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = self.shared.changed.wait_timeout_while(last, patience, |last| *last <= seen);
        let (last, timeout) = waiting.unwrap_or_else(PoisonError::into_inner);
        let known = *last;
        drop(last);
        if !timeout.timed_out() {
            return known;
        }
        match self.read(changes::last) {
            Ok(last) => self.shared.saw(last),
            Err(error) => tracing::warn!(error = %error, "the last change could not be read"),
        }
        self.last_change()
    }

    /// Reads into memory what the first lists would have to wait for: the classes and the subjects of all issues. Blocks for as long
    /// as it takes to read them.
    pub fn warm(&self) -> Result<(), StoreError> {
        self.read(|db| {
            self.shared.classes.with(db, |_| ())?;
            self.shared.subjects.follow(db)
        })
    }

    /// Finishes the writes under way and closes the file.
    pub fn close(&self) {
        self.pool.close();
        self.writer.close();
    }
}

impl Shared {
    /// Makes the last change of a commit known.
    fn publish(self: &Arc<Self>, connection: &Connection) {
        match Read::snapshot(connection, self, changes::last) {
            Ok(last) => self.saw(last),
            Err(error) => tracing::error!(error = %error, "the last change could not be read"),
        }
    }

    fn saw(&self, change: i64) {
        let mut last = self.last_change.lock().unwrap_or_else(PoisonError::into_inner);
        if change > *last {
            *last = change;
            self.changed.notify_all();
        }
    }
}

/// Carries the error of a caller through the engine, which knows only its own.
struct Undone<E>(E);

impl<E: From<StoreError>> From<engine::StatementError> for Undone<E> {
    fn from(error: engine::StatementError) -> Self {
        Undone(E::from(StoreError::from(error)))
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
        let stopped = store.read_until(Some(soon), |db| db.number(endless, &[]));
        assert!(stopped.unwrap_err().is_timeout());
        let count = |db: &Read<'_>| db.number("SELECT COUNT(*) FROM counters", &[]);
        assert_eq!(store.read_until(None, count).unwrap(), store.read(count).unwrap());
        store.close();
    }

    #[test]
    fn who_opens_beside_a_service_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let service = Store::open(folder.path()).unwrap();
        let files = || ["", "-wal"].map(|end| std::fs::read(folder.path().join(format!("quarry.sqlite3{end}"))).unwrap());
        let before = files();
        let beside = Store::open_beside(folder.path()).unwrap();
        assert_eq!(beside.read(|db| db.number("SELECT COUNT(*) FROM histories", &[])).unwrap(), 1);
        beside.close();
        assert!(files() == before);
        Store::open(folder.path()).unwrap().close();
        assert!(files() != before);
        service.close();
    }
}
