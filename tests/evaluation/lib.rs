//! Sets of searches with relevance judgements, for the bench `relevance` (docs/relevance.md): the files
//! of a set, the figures of a run, and the comparison with an earlier one.
//!
//! Invariant: nothing in a set is left out silently. What cannot be read is an error with file and
//! line; what is left out is counted in a [`Warning`](warnings::Warning) that names the first line.
//! The bench itself runs no tests, so everything that needs none of the index is here.

pub mod baseline;
pub mod comparison;
pub mod dates;
pub mod document;
pub mod figures;
pub mod forms;
pub mod judgements;
pub mod lines;
pub mod options;
pub mod report;
pub mod set;
pub mod set_files;
pub mod warnings;
