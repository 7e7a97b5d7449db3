//! Replaces a lost secret of the nodes in front of a server.

use crate::engine::Connection;
use crate::location::StoreLocation;
use crate::{Store, StoreError, migrations, node_secret};
use quarry_domain::clock::{Clock, SystemClock};

impl Store {
    /// Creates a secret in the folder for the records of a server, in place of one that is lost.
    /// Fails when nodes are running, or the folder has a secret.
    pub fn reset_secret(location: &StoreLocation) -> Result<(), StoreError> {
        let mut connection = Connection::open_writer(&location.database())?;
        connection.migrate(migrations::ALL, &migrations::note_program())?;
        node_secret::replace(&connection, location, SystemClock.now())
    }
}
