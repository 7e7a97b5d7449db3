//! Replaces a lost secret, of a data folder or of the nodes in front of a server.

use crate::data_folder::location::StoreLocation;
use crate::engine::Connection;
use crate::{Store, StoreError, migrations, properties::node_secret};
use quarry_domain::clock::{Clock, SystemClock};

impl Store {
    /// Creates a secret in the folder for the records, in place of one that is lost. Fails when nodes are
    /// running, the folder has a secret, or a database file has the schema of an earlier version.
    pub fn reset_secret(location: &StoreLocation) -> Result<(), StoreError> {
        let mut connection = Connection::open_writer(&location.database())?;
        if location.server.is_none() {
            migrations::check_current(&connection, &location.database())?;
        }
        connection.migrate(migrations::ALL, &migrations::note_program())?;
        node_secret::replace(&connection, location, SystemClock.now())
    }
}
