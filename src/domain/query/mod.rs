//! Filters and sort orders of lists (compatibility 6.3), and saved queries.

pub mod associations;
pub mod board;
pub mod change;
pub mod columns;
pub mod criterion;
pub mod dates;
pub mod filter;
mod filter_field;
mod filter_values;
pub mod issues;
pub mod projects;
pub mod saved;
pub mod time_entries;
pub mod time_report;
pub mod users;
