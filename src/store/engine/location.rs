//! Where the records are.

use super::Server;
use std::path::PathBuf;

/// Where the records are.
#[derive(Clone, Debug)]
pub enum DatabaseLocation {
    /// A SQLite file.
    File(PathBuf),
    /// A SQLite file that no process writes, with its log. Reading it changes no file.
    AtRest(PathBuf),
    /// A database on a PostgreSQL server.
    Server(Server),
}

impl DatabaseLocation {
    /// Whether there is a database: a server always has one.
    pub fn exists(&self) -> bool {
        match self {
            DatabaseLocation::File(path) | DatabaseLocation::AtRest(path) => {
                path.metadata().is_ok_and(|file| file.len() > 0)
            }
            DatabaseLocation::Server(_) => true,
        }
    }

    /// Returns the path or URL for messages, without a password.
    pub fn name(&self) -> String {
        match self {
            DatabaseLocation::File(path) | DatabaseLocation::AtRest(path) => {
                path.display().to_string()
            }
            DatabaseLocation::Server(server) => server.name().to_owned(),
        }
    }
}
