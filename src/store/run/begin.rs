//! Begins snapshots and transactions on a connection, and loads the catalogue when it has changed.

use crate::administration::audit_events;
use crate::engine::{Connection, OpenError, Pool, StatementError};
use crate::index_feed::epochs;
use crate::properties::node_secret;
use crate::transaction::shared::Shared;
use crate::transaction::snapshot::Snapshot;
use crate::transaction::{Read, Write};
use crate::{StoreError, catalogue};
use quarry_domain::administration::audit::{differences, merging};
use std::sync::Arc;
use std::time::Instant;

/// The counters as of a snapshot.
struct Counters {
    /// The version of the catalogue.
    catalogue: i64,
    /// The last change.
    change: i64,
}

/// What a read does with its snapshot.
pub type ReadWork<'w> = Box<dyn FnOnce(&Read<'_>) + 'w>;

/// What a write does in its transaction. Returns whether its changes are kept: work that fails with
/// an error of its own leaves the error with its caller, and returns `false`.
pub type WriteWork = Box<dyn FnOnce(&mut Write<'_>) -> Result<bool, StoreError> + Send>;

/// Runs `work` over one snapshot. Statements that still run at the deadline fail.
pub fn read(
    pool: &Pool,
    shared: &Shared,
    deadline: Option<Instant>,
    work: ReadWork<'_>,
) -> Result<(), StoreError> {
    let begin = |connection: &Connection| {
        connection.set_deadline(deadline);
        connection.begin_read()?;
        counters(connection)
    };
    pool.with(deadline, begin, |connection, counters| {
        shared.publish_snapshot(counters.change);
        let outcome = snapshot(connection, shared, &counters, true).map(|db| work(&db));
        connection.set_deadline(None);
        connection.end_read()?;
        outcome
    })?
}

/// Runs `work` within the transaction that the connection has begun. Returns whether its changes are
/// kept.
pub fn write(
    connection: &Connection,
    shared: &Shared,
    work: WriteWork,
) -> Result<bool, StoreError> {
    let counters = counters(connection)?;
    shared.publish_before_write(counters.change);
    let mut db = Write::new(snapshot(connection, shared, &counters, false)?);
    if !work(&mut db)? {
        return Ok(false);
    }
    record_audit_events(&mut db)?;
    if let Some(change) = db.own_change() {
        shared.set_written_change(change);
    }
    Ok(true)
}

/// Stores the events of the audit log: those that the transaction has recorded, with the changed
/// values of the catalogue, and an event for each other change of the catalogue.
fn record_audit_events(db: &mut Write<'_>) -> Result<(), StoreError> {
    if db.needs_catalogue_audit() && !db.catalogue().is_importing {
        let after = db.without_deadline(|| catalogue::load(db, db.catalogue().version))?;
        if !after.is_importing {
            let found = differences::differences(db.catalogue(), &after);
            let events = merging::merge(db.take_audit_events(), found);
            db.set_audit_events(events);
        }
    }
    audit_events::insert_all(db)
}

/// Connects to the server in place of a lost connection. Starts an epoch when it is another server
/// or timeline, which may lack the last changes.
pub fn reconnect(shared: &Shared) -> Result<Connection, OpenError> {
    let connection = Connection::open_writer(&shared.location)?;
    connection.begin_write()?;
    connection.delete_old_commits()?;
    let start = Box::new(|db: &mut Write<'_>| epochs::start(db).map(|()| true));
    let outcome = write(&connection, shared, start);
    outcome.map_err(|error| OpenError::Unavailable(error.to_string()))?;
    connection.commit()?;
    Ok(connection)
}

/// Reads the counters. They are read first: that fixes the state that later statements see, and
/// tells whether the cached catalogue is current.
fn counters(connection: &Connection) -> Result<Counters, StatementError> {
    let sql = "SELECT c.value, (SELECT d.value FROM counters d WHERE d.name = 'change') FROM counters c WHERE c.name = 'catalogue'";
    let mut counters = Counters {
        catalogue: 0,
        change: 0,
    };
    connection.for_each_row(sql, &[], &mut |row| {
        counters.catalogue = row.next()?;
        counters.change = row.next::<Option<i64>>()?.unwrap_or_default();
        Ok(())
    })?;
    Ok(counters)
}

/// Starts a snapshot with the catalogue as of the snapshot.
fn snapshot<'c>(
    connection: &'c Connection,
    shared: &'c Shared,
    counters: &Counters,
    is_committed: bool,
) -> Result<Read<'c>, StoreError> {
    let snapshot = || Snapshot::new(connection, is_committed.then_some(counters.change));
    let caches = shared.caches(connection.history());
    let cached = caches.catalogue.load_full();
    if cached.version == counters.catalogue {
        return Ok(Read::new(snapshot(), cached, shared, caches));
    }
    node_secret::check_current(connection, shared)?;
    let db = Read::new(snapshot(), cached, shared, Arc::clone(&caches));
    let catalogue = Arc::new(db.without_deadline(|| catalogue::load(&db, counters.catalogue))?);
    // A transaction may read names that are never committed.
    if is_committed {
        caches.catalogue.store(Arc::clone(&catalogue));
    }
    Ok(Read::new(snapshot(), catalogue, shared, caches))
}
