//! Uploads: files that are attached to a record later.

mod create;

pub use create::{check, create};
