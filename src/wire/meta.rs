//! Metadata of lists: totals, offset, limit and counts by group.

/// Metadata of a list: attributes of the root in XML, keys after the array in JSON (compatibility
/// 3.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meta {
    /// `"total_count":46`, `total_count="46"`.
    Integer(&'static str, i64),
    /// The limit of a page of a list: `"limit":25`, `limit="25"`. A page that would exceed
    /// `max_bytes` ends early, after at least one item; its limit is then the number of its items.
    Page {
        /// The requested limit.
        limit: i64,
        /// Whether the limit is written even when the page does not end early.
        always: bool,
        /// Maximum size of the items in bytes.
        max_bytes: usize,
    },
    /// `"counts":{"issues":3}`, `counts_issues="3"`.
    Group(&'static str, Vec<(&'static str, i64)>),
}

impl Meta {
    /// Returns the metadata of a page that ends after `written` items.
    pub fn cut_to(&self, written: usize) -> Meta {
        match self {
            Meta::Page { max_bytes, .. } => Meta::Page {
                limit: i64::try_from(written).unwrap_or(i64::MAX),
                always: true,
                max_bytes: *max_bytes,
            },
            other => other.clone(),
        }
    }
}
