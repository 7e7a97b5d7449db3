//! Links to the pages above a page.

/// A link to a page.
pub struct Crumb {
    /// Its text.
    pub label: String,
    /// Its address.
    pub path: String,
}
