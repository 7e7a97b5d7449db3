//! The definitions of custom fields (compatibility 14).

mod change;
mod create;
mod delete;
mod enumeration;
mod update;

pub use change::FieldChange;
pub use create::create;
pub use delete::delete;
pub use enumeration::EnumerationItem;
pub use update::update;
