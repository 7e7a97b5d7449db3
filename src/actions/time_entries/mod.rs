//! Time entries (compatibility 9).

mod create;
mod delete;
mod draft;
mod find;
mod update;
mod validate;

pub use create::{LogTarget, create};
pub use delete::delete;
pub use find::find;
pub use update::update;
