//! Where the records are.

use super::Server;
use std::path::PathBuf;

/// The place of the records.
#[derive(Clone, Debug)]
pub enum Location {
    /// A file of SQLite.
    File(PathBuf),
    /// A database of a PostgreSQL server.
    Server(Server),
}

impl Location {
    /// Returns the name of the place for messages, without a password.
    pub fn name(&self) -> String {
        match self {
            Location::File(path) => path.display().to_string(),
            Location::Server(server) => server.name().to_owned(),
        }
    }
}
