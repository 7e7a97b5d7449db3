//! Terms of text that belongs to one user or one custom field.
//!
//! Such a term starts with the id of its owner, so that a query finds it for that owner alone.

/// Ends the owner of a term: the id of the author of private notes, or of a custom field.
pub(crate) const OWNER_END: char = '\u{2}';

/// Returns the prefix of the terms of a user's private notes, or of a custom field's values.
pub(crate) fn owner_prefix(id: i64) -> String {
    format!("{id}{OWNER_END}")
}
