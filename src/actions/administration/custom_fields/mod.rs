//! The definitions of custom fields (compatibility 14).
//!
//! Invariants: type of record and format of a field never change. Imported definitions that break a
//! rule stay valid until the attribute changes. May import: `domain`, `store`.

mod attributes;
mod change;
mod enumeration;
mod possible_values;

pub use change::FieldChange;
pub use enumeration::PossibleValue;
pub use possible_values::PossibleValueChange;
