//! SQLite: one file in the data folder.

mod checkpoint;
mod connection;
mod error;
mod functions;
mod parameters;
mod tables;
mod translate;

pub(super) use checkpoint::Checkpointer;
pub(super) use connection::Connection;
