//! What confirmations of deletions say about other records.

use crate::components::form_field::Choice;
use crate::components::list_page::Link;

/// What a deletion does to other records.
#[derive(Default)]
pub struct DeletionEffects {
    /// Sentences about them.
    pub notes: Vec<String>,
    /// Pages with these records.
    pub links: Vec<Link>,
    /// The records that can replace the deleted one, if it needs a replacement.
    pub replacements: Vec<Choice>,
    /// Whether a replacement must be chosen.
    pub needs_replacement: bool,
    /// Why the record cannot be deleted.
    pub refusal: Option<String>,
}

/// Returns a number of records with the words for one or for several.
pub fn count(count: i64, singular: &str, plural: &str) -> String {
    format!("{count} {}", if count == 1 { singular } else { plural })
}

/// Returns a link to issues, if there are any.
pub fn issue_link(issues: i64, path: String) -> Vec<Link> {
    let label = if issues == 1 {
        "Show the issue"
    } else {
        "Show these issues"
    };
    (issues > 0)
        .then(|| Link::new(label, path))
        .into_iter()
        .collect()
}
