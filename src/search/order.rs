//! In which order hits come.

/// The order of the answer. `offset` and `limit` run over this one sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Grouped by content type; the groups by their best hit, within a group by relevance.
    #[default]
    Grouped,
    /// By relevance, types mixed.
    Relevance,
    /// Newest first, types mixed. Nothing is scored.
    Date,
}
