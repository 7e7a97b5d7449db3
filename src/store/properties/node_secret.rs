//! The secret of the records: that of a data folder, or the one that all nodes of a database server share.
//!
//! API keys are encrypted with it, and codes are derived from it: with another secret, a folder or a node
//! would refuse what it accepted before, or what the others accept. The store keeps its fingerprint, to
//! detect that.

use crate::StoreError;
use crate::data_folder::location::StoreLocation;
use crate::data_folder::secrets::{Secrets, path};
use crate::engine::{Connection, DatabaseLocation, StatementError};
use crate::transaction::shared::Shared;
use jiff::{SignedDuration, Timestamp};
use std::path::Path;

/// The statement that finds the fingerprint of the secret.
pub const FINGERPRINT: &str = "SELECT value FROM secret_fingerprints";
/// The statement that finds the encrypted API keys. The latest come first: those that were made before a reset of
/// the secret cannot be decrypted.
pub const SEALED_KEYS: &str =
    "SELECT api_key_sealed FROM users WHERE api_key_sealed IS NOT NULL ORDER BY id DESC";

/// Time without a report after which a node counts as stopped.
const STOPPED_AFTER: SignedDuration = SignedDuration::from_secs(60);

/// Loads the secret of the folder. Creates one if the database has no users yet. Fails when it is
/// missing although there are users, or differs from that of the other nodes.
pub fn load(connection: &Connection, location: &StoreLocation) -> Result<Secrets, StoreError> {
    match (
        Secrets::find(&location.folder)?,
        find_fingerprint(connection)?,
    ) {
        (Some(secrets), Some(fingerprint)) => check(secrets, &fingerprint, location),
        (None, Some(_)) => Err(missing_secret(location)),
        (_, None) => in_transaction(connection, || load_first(connection, location)),
    }
}

/// Fails when the secret of a data folder is not the one of its records. A store of an earlier version
/// has no fingerprint yet: its API keys tell.
pub fn check_folder(
    connection: &Connection,
    secrets: &Secrets,
    location: &StoreLocation,
) -> Result<(), StoreError> {
    let is_same = match find_fingerprint(connection)? {
        Some(fingerprint) => secrets.node_fingerprint() == fingerprint,
        None => unseals_keys(connection, secrets)?,
    };
    if !is_same {
        return Err(other_secret(&location.folder, &location.database()));
    }
    in_transaction(connection, || match find_fingerprint(connection)? {
        Some(_) => Ok(()),
        None => Ok(insert(connection, secrets)?),
    })
}

/// Whether the secret decrypts one of the stored API keys, or there are none. Keys that were made before
/// a reset of the secret stay until they are replaced.
fn unseals_keys(connection: &Connection, secrets: &Secrets) -> Result<bool, StatementError> {
    let mut sealed = Vec::new();
    connection.for_each_row(SEALED_KEYS, &[], &mut |row| {
        sealed.push(row.next::<String>()?);
        Ok(())
    })?;
    Ok(sealed.is_empty() || sealed.iter().any(|key| secrets.unseal(key).is_some()))
}

/// Loads or creates the secret of the first node, unless another node was faster.
fn load_first(connection: &Connection, location: &StoreLocation) -> Result<Secrets, StoreError> {
    let secrets = Secrets::find(&location.folder)?;
    match (secrets, find_fingerprint(connection)?) {
        (Some(secrets), Some(fingerprint)) => check(secrets, &fingerprint, location),
        (None, Some(_)) => Err(missing_secret(location)),
        (None, None) if has_users(connection)? => Err(missing_secret(location)),
        (secrets, None) => {
            let secrets = match secrets {
                Some(secrets) => secrets,
                None => Secrets::load_or_create(&location.folder)?,
            };
            insert(connection, &secrets)?;
            Ok(secrets)
        }
    }
}

/// Creates a secret in the folder in place of a lost one, also for all nodes. Fails when a node is
/// running, or the folder has a secret.
pub fn replace(
    connection: &Connection,
    location: &StoreLocation,
    now: Timestamp,
) -> Result<(), StoreError> {
    in_transaction(connection, || {
        let now = connection.server_time()?.unwrap_or(now);
        let since = now.saturating_sub(STOPPED_AFTER).unwrap_or(Timestamp::MIN);
        let sql = "SELECT address FROM nodes WHERE seen_on > ?1";
        let mut running: Option<String> = None;
        connection.for_each_row(sql, &[since.into()], &mut |row| {
            running = row.next()?;
            Ok(())
        })?;
        if let Some(address) = running {
            return Err(StoreError::NodesRunning(
                location.database().name(),
                address,
            ));
        }
        Secrets::create(&location.folder)?;
        set(connection, &Secrets::load(&location.folder)?)?;
        // A node that was only paused loads the catalogue again, and notices.
        let sql = "UPDATE counters SET value = value + 1 WHERE name = 'catalogue'";
        connection.execute(sql, &[])?;
        Ok(())
    })
}

/// Makes this secret that of all nodes, within a transaction that writes.
pub fn set(connection: &Connection, secrets: &Secrets) -> Result<(), StatementError> {
    connection.execute("DELETE FROM secret_fingerprints", &[])?;
    insert(connection, secrets)
}

/// Fails when the secret was replaced since this process has loaded it.
pub fn check_current(connection: &Connection, shared: &Shared) -> Result<(), StoreError> {
    match find_fingerprint(connection)? {
        Some(fingerprint) if fingerprint != shared.secrets.node_fingerprint() => {
            Err(other_secret(&shared.folder, &shared.location))
        }
        _ => Ok(()),
    }
}

fn in_transaction<T>(
    connection: &Connection,
    work: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.begin_write()?;
    match work() {
        Ok(value) => {
            connection.commit()?;
            Ok(value)
        }
        Err(error) => {
            // If this fails, closing the connection rolls back.
            let _ = connection.roll_back();
            Err(error)
        }
    }
}

fn check(
    secrets: Secrets,
    fingerprint: &str,
    location: &StoreLocation,
) -> Result<Secrets, StoreError> {
    if secrets.node_fingerprint() == fingerprint {
        return Ok(secrets);
    }
    Err(other_secret(&location.folder, &location.database()))
}

/// Returns the error about a secret that is not the one of the records.
fn other_secret(folder: &Path, database: &DatabaseLocation) -> StoreError {
    let file = path(folder).display().to_string();
    let store = database.name();
    match database {
        DatabaseLocation::Server(_) => StoreError::OtherSecret { file, store },
        DatabaseLocation::File(_) | DatabaseLocation::AtRest(_) => {
            StoreError::OtherFolderSecret { file, store }
        }
    }
}

fn missing_secret(location: &StoreLocation) -> StoreError {
    StoreError::NoNodeSecret {
        file: path(&location.folder).display().to_string(),
        store: location.database().name(),
    }
}

fn insert(connection: &Connection, secrets: &Secrets) -> Result<(), StatementError> {
    let sql = "INSERT INTO secret_fingerprints (value) VALUES (?1)";
    connection.execute(sql, &[secrets.node_fingerprint().into()])?;
    Ok(())
}

fn find_fingerprint(connection: &Connection) -> Result<Option<String>, StatementError> {
    let mut fingerprint = None;
    connection.for_each_row(FINGERPRINT, &[], &mut |row| {
        fingerprint = row.next()?;
        Ok(())
    })?;
    Ok(fingerprint)
}

fn has_users(connection: &Connection) -> Result<bool, StatementError> {
    let mut has_users = false;
    connection.for_each_row("SELECT id FROM users LIMIT 1", &[], &mut |_| {
        has_users = true;
        Ok(())
    })?;
    Ok(has_users)
}
