//! Reads the database of a Redmine: SQLite, PostgreSQL or MySQL. Only this module names the
//! engines.
//!
//! Everything is read in one snapshot, in the order of ids, with SQL that all three engines
//! understand.

mod database;
mod engine;
mod error;
mod mysql;
mod postgres;
mod schema;
mod sqlite;

pub use database::{Limit, Source, open};
pub use engine::Cell;
pub use error::SourceError;
pub use schema::check_schema;
