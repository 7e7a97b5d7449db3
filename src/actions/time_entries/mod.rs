//! Logging time, and what becomes of what was logged (spec, "Time entries"; contract 7).

mod change;
mod create;
mod draft;
mod find;
mod judge;
mod remove;

pub use change::change;
pub use create::{Place, create};
pub use find::find;
pub use remove::remove;
