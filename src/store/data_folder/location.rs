//! Where the parts of a store are: records, files and secret.

use crate::StoreError;
use crate::data_folder::secrets::Secrets;
use crate::engine::{DatabaseLocation, Server};
use std::path::{Path, PathBuf};

/// The name of the SQLite file in the data folder.
pub const FILE: &str = "quarry.sqlite3";

/// The data folder, and the database server if the records are not in a file of that folder.
#[derive(Clone, Debug)]
pub struct StoreLocation {
    /// The data folder.
    pub folder: PathBuf,
    /// The PostgreSQL database of the records; `None` for SQLite.
    pub server: Option<Server>,
    /// The folder, shared by all nodes, for the contents of attachments of a store on a server;
    /// `None` if they are in the database. A SQLite store has them in its data folder.
    pub files: Option<PathBuf>,
    /// Whether a SQLite database is copied before a newer program changes its schema.
    pub backs_up_before_upgrade: bool,
}

impl StoreLocation {
    /// Returns where the records are.
    pub(crate) fn database(&self) -> DatabaseLocation {
        match &self.server {
            Some(server) => DatabaseLocation::Server(server.clone()),
            None => DatabaseLocation::File(self.folder.join(FILE)),
        }
    }

    /// Returns where the records are, to read them while no process writes a file.
    pub(crate) fn database_at_rest(&self) -> DatabaseLocation {
        match self.database() {
            DatabaseLocation::File(path) => DatabaseLocation::AtRest(path),
            location => location,
        }
    }

    /// Loads the secret of a SQLite store, or creates one if the folder has no records.
    pub(crate) fn secrets(&self) -> Result<Secrets, StoreError> {
        let has_records =
            std::fs::metadata(self.folder.join(FILE)).is_ok_and(|metadata| metadata.len() > 0);
        if has_records {
            Secrets::load(&self.folder)
        } else {
            Secrets::load_or_create(&self.folder)
        }
    }
}

impl From<&Path> for StoreLocation {
    fn from(folder: &Path) -> StoreLocation {
        StoreLocation {
            folder: folder.to_owned(),
            server: None,
            files: None,
            backs_up_before_upgrade: true,
        }
    }
}

impl From<&PathBuf> for StoreLocation {
    fn from(folder: &PathBuf) -> StoreLocation {
        StoreLocation::from(folder.as_path())
    }
}
