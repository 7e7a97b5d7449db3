//! Whether a store has the demonstration data. `quarry demo` prints passwords and API keys, so it must
//! take no other store for its own.

use crate::engine::Connection;
use crate::{StoreError, StoreLocation, Write, migrations, properties};

/// Marks a store that has been filled with the demonstration data.
pub fn mark(db: &mut Write<'_>) -> Result<(), StoreError> {
    db.execute(properties::SET, &[properties::DEMO.into(), "1".into()])?;
    Ok(())
}

/// Whether the store is marked; no process may use a data folder. Changes no file. Fails for the schema of
/// a newer program.
pub fn is_marked(location: &StoreLocation) -> Result<bool, StoreError> {
    let connection = Connection::open_reader(&location.database_at_rest())?;
    let supported = migrations::supported_version();
    let version = connection.schema_version()?.unwrap_or_default();
    if version > supported {
        return Err(connection.unsupported_version(version, supported).into());
    }
    Ok(properties::find(&connection, properties::DEMO)?.is_some())
}
