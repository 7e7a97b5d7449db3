//! How does a Redmine move in?
//!
//! Each table that a Redmine has is described once in `nouns/`: which of its columns become which of ours, and what makes a
//! row unusable. One loop reads, judges and writes them in batches, a transaction each. Invariants: numbers are kept; what was
//! edited here is never overwritten; a row that cannot be taken is reported and does not stop the others.
//! May import: `domain`, `store`, `actions`. Foreign databases are spoken to in `source/` alone.

mod error;
mod field;
mod files;
mod judge;
mod known;
mod noun;
mod nouns;
mod pass;
mod passwords;
mod removal;
mod report;
mod run;
mod same;
mod seal;
mod settings;
mod source;
mod write;
mod yaml;

pub use error::ImportError;
pub use passwords::wrap_passwords;
pub use report::{Counts, Problem, Report};
pub use run::{Options, Progress, look, run};
pub use source::SourceError;
