//! What a store knows about itself, in the table `store_properties`.

pub mod demo_data;
pub mod node_secret;

mod secret_reset;

use crate::engine::{Connection, StatementError};

/// The random id of the store.
pub const ID: &str = "id";
/// Where the contents of attachments are: [`FILES_IN_FOLDER`], otherwise in the database.
pub const FILES: &str = "files";
/// The value of [`FILES`] for a folder that the nodes share.
pub const FILES_IN_FOLDER: &str = "folder";
/// Present while the store is the incomplete copy of another one: a random id of that copy.
pub const COPY: &str = "copy";

/// Present if the store has the demonstration data.
pub const DEMO: &str = "demo";

/// The statement that reads a property.
pub const FIND: &str = "SELECT value FROM store_properties WHERE name = ?1";

/// The statement that sets a property.
pub const SET: &str = "INSERT INTO store_properties (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// Returns the value of a property.
pub fn find(connection: &Connection, name: &str) -> Result<Option<String>, StatementError> {
    let mut value = None;
    connection.for_each_row(FIND, &[name.into()], &mut |row| {
        value = Some(row.next()?);
        Ok(())
    })?;
    Ok(value)
}

/// Sets a property, within a transaction that writes.
pub fn set(connection: &Connection, name: &str, value: &str) -> Result<(), StatementError> {
    connection.execute(SET, &[name.into(), value.into()])?;
    Ok(())
}

/// Deletes a property, within a transaction that writes.
pub fn delete(connection: &Connection, name: &str) -> Result<(), StatementError> {
    connection.execute(
        "DELETE FROM store_properties WHERE name = ?1",
        &[name.into()],
    )?;
    Ok(())
}

/// Runs `work` in a transaction that writes.
pub fn write<T, E: From<StatementError>>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, E> {
    connection.begin_write()?;
    let outcome = work(connection);
    match &outcome {
        Ok(_) => connection.commit()?,
        // The first error tells more than that of a connection that is lost.
        Err(_) => drop(connection.roll_back()),
    }
    outcome
}
