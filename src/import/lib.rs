//! Imports the database and the files of a Redmine.
//!
//! Each table of Redmine is described once in `tables/`: how its columns map to ours, and what
//! makes a row unusable. One loop reads, converts and writes the rows in batches, one transaction
//! each. Invariants: ids are kept; records that were edited here are never overwritten; an unusable
//! row is reported and does not stop the others. May import: `domain`, `net`, `store`, `actions`. Only
//! `source/` connects to foreign databases.

mod convert;
mod error;
mod field;
mod files;
mod id_map;
mod importer;
mod progress;
mod removal;
mod report;
mod run;
mod secrets;
mod settings;
mod source;
mod source_check;
mod table_mapping;
mod tables;
mod write;
mod yaml;

pub use error::ImportError;
pub use progress::Progress;
pub use report::{Counts, Problem, Report};
pub use run::{Options, check_source, run};
pub use source::SourceError;
