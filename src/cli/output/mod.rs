//! What commands print: tables, progress, and errors of usage.

pub(crate) mod progress;
pub(crate) mod table;
pub(crate) mod usage_error;
