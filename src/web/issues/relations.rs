//! Relations of an issue, in words.

use crate::domain::relation::RelationType;

/// Returns the relation as seen from the issue of the page.
pub fn label(kind: RelationType) -> &'static str {
    match kind {
        RelationType::Relates => "related to",
        RelationType::Duplicates => "duplicates",
        RelationType::Duplicated => "duplicated by",
        RelationType::Blocks => "blocks",
        RelationType::Blocked => "blocked by",
        RelationType::Precedes => "precedes",
        RelationType::Follows => "follows",
        RelationType::CopiedTo => "copied to",
        RelationType::CopiedFrom => "copied from",
    }
}
