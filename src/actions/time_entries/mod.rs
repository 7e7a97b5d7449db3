//! Logging time, and what becomes of what was logged (compatibility 9).

mod create;
mod delete;
mod draft;
mod find;
mod update;
mod validate;

pub use create::{Place, create};
pub use delete::delete;
pub use find::find;
pub use update::update;
