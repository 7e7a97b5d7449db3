//! The definitions of custom fields (compatibility 14).
//!
//! Invariants: type of record and format of a field never change. Imported definitions that break a
//! rule stay valid until the attribute changes. May import: `domain`, `store`.

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
