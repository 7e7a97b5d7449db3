//! Files that are sent, to be hung on a record later.

mod create;

pub use create::{create, judge};
