//! PostgreSQL: a database on a server, which several nodes share.

mod client_variables;
pub(super) mod columns;
mod commit;
mod connection;
mod error;
mod migrate;
mod outage;
mod parameters;
mod password_file;
mod runtime;
mod server;
mod statements;
mod tables;
mod translate;

pub(super) use commit::Commit;
pub(super) use connection::Connection;
pub use server::{Server, ServerError};
pub(super) use tables::is_engine_table;
