//! Where the records are.

use super::Server;
use std::path::PathBuf;

/// Where the records are.
#[derive(Clone, Debug)]
pub enum DatabaseLocation {
    /// A SQLite file.
    File(PathBuf),
    /// A database on a PostgreSQL server.
    Server(Server),
}

impl DatabaseLocation {
    /// Returns the path or URL for messages, without a password.
    pub fn name(&self) -> String {
        match self {
            DatabaseLocation::File(path) => path.display().to_string(),
            DatabaseLocation::Server(server) => server.name().to_owned(),
        }
    }
}
