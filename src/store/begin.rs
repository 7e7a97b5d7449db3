//! Begins snapshots and transactions on a connection, and loads the catalogue when it has changed.

use super::engine::Connection;
use super::transaction::{Read, Write};
use super::{StoreError, catalogue};
use crate::transaction::shared::Shared;
use crate::transaction::snapshot::Snapshot;
use std::sync::Arc;

/// Runs `work` over one snapshot.
pub fn read<'c, T, E: From<StoreError>>(
    connection: &'c Connection,
    shared: &'c Shared,
    work: impl FnOnce(&Read<'c>) -> Result<T, E>,
) -> Result<T, E> {
    connection.begin_read().map_err(StoreError::from)?;
    let outcome = begin(connection, shared, true)
        .map_err(E::from)
        .and_then(|db| {
            if shared.catalogue.load().version != db.catalogue().version {
                shared.catalogue.store(Arc::clone(db.catalogue()));
            }
            work(&db)
        });
    connection.end_read().map_err(StoreError::from)?;
    outcome
}

/// Runs `work` within the transaction that the connection has begun.
pub fn write<'c, T, E: From<StoreError>>(
    connection: &'c Connection,
    shared: &'c Shared,
    work: impl FnOnce(&mut Write<'c>) -> Result<T, E>,
) -> Result<T, E> {
    work(&mut Write::new(begin(connection, shared, false)?))
}

/// Starts a snapshot. The counters are read first: that fixes the state that later statements see,
/// and tells whether the cached catalogue is current.
fn begin<'c>(
    connection: &'c Connection,
    shared: &'c Shared,
    is_committed: bool,
) -> Result<Read<'c>, StoreError> {
    let counters = "SELECT c.value, (SELECT d.value FROM counters d WHERE d.name = 'change') FROM counters c WHERE c.name = 'catalogue'";
    let row: Option<(i64, Option<i64>)> =
        Snapshot::new(connection, None)
            .first(counters, &[], |row| Ok((row.next()?, row.next()?)))?;
    let (version, last_change) = row.unwrap_or_default();
    let last_change = is_committed.then_some(last_change.unwrap_or_default());
    let snapshot = Snapshot::new(connection, last_change);
    let db = Read::new(snapshot, shared.catalogue.load_full(), shared);
    if db.catalogue().version == version {
        return Ok(db);
    }
    // Not shared with other requests: a transaction may read names that are never committed.
    let catalogue = Arc::new(catalogue::load(&db, version)?);
    let snapshot = Snapshot::new(connection, last_change);
    Ok(Read::new(snapshot, catalogue, shared))
}
