//! Priorities of issues, activities of time entries and categories of documents (compatibility 14).

mod change;
mod create;
mod delete;
mod find;
mod update;

pub use change::EnumerationChange;
pub use create::create;
pub use delete::delete;
pub use find::find;
pub use update::update;
