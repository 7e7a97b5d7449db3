//! Links between pages that belong together, at the side: settings of a project, administration.

use super::tabs::Tab;

/// Links under a common heading.
pub struct NavGroup {
    /// The heading; empty for none.
    pub title: &'static str,
    pub links: Vec<Tab>,
}

/// The navigation.
pub struct SideNav {
    /// What all links are about.
    pub label: String,
    pub groups: Vec<NavGroup>,
}
