//! The preferences of a user that rules depend on.

/// The preferences of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// Whether histories show the newest entry first.
    pub newest_first: bool,
    /// Whether the user watches issues automatically after contributing.
    pub watches_contributions: bool,
}

impl Default for Preferences {
    fn default() -> Preferences {
        Preferences { newest_first: false, watches_contributions: true }
    }
}
