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
        Preferences {
            newest_first: false,
            watches_contributions: true,
        }
    }
}

/// A change of preferences; what is `None` stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PreferencesChange {
    /// Whether histories show the newest entry first.
    pub newest_first: Option<bool>,
    /// Whether the user watches issues automatically after contributing.
    pub watches_contributions: Option<bool>,
}

impl PreferencesChange {
    /// Returns the preferences after the change.
    #[must_use]
    pub fn apply_to(self, before: Preferences) -> Preferences {
        Preferences {
            newest_first: self.newest_first.unwrap_or(before.newest_first),
            watches_contributions: self
                .watches_contributions
                .unwrap_or(before.watches_contributions),
        }
    }
}
