//! How much space the store takes.

use crate::files::contents::Contents;
use crate::{Store, StoreError, data_folder::location, disk};
use std::path::Path;

impl Store {
    /// Returns the size of the database in bytes, with the log of SQLite.
    pub fn size(&self) -> Result<u64, StoreError> {
        match self.file() {
            Some(file) => Ok(disk::file_size(file) + self.log_size()),
            None => self.read(|db| db.server_size()),
        }
    }

    /// Returns the size of the log of SQLite in bytes; 0 when the records are on a server.
    pub fn log_size(&self) -> u64 {
        self.file().map_or(0, |file| {
            disk::file_size(&file.with_file_name(format!("{}-wal", location::FILE)))
        })
    }

    /// Returns the folder with the contents of attachments; `None` when they are in the database.
    pub fn files_folder(&self) -> Option<&Path> {
        match self.contents() {
            Contents::Folder(folder) => Some(folder),
            Contents::Database => None,
        }
    }
}
