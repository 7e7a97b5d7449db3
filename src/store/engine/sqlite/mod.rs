//! SQLite: one file in the data folder.

mod backup;
mod checkpoint;
mod connection;
mod error;
mod functions;
mod integrity;
mod parameters;
mod tables;
mod translate;

pub(super) use backup::copy_file;
pub(super) use checkpoint::Checkpointer;
pub(super) use connection::Connection;
