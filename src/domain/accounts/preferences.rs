//! The preferences of a user that rules depend on.

use crate::ids::QueryId;
use crate::notices::digest::Digest;
use crate::values::patch::Patch;

/// The preferences of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// Whether histories show the newest entry first.
    pub newest_first: bool,
    /// Whether the user watches issues automatically after contributing.
    pub watches_contributions: bool,
    /// The saved query with which lists of issues start for the user, where it can be used.
    pub default_query: Option<QueryId>,
    /// Whether the user watches what they are mentioned in.
    pub watches_mentions: bool,
    /// Whether the user gets mail about what they do themselves.
    pub mails_own_events: bool,
    /// Whether the user is told of all issues of their projects with a high priority.
    pub follows_high_priority: bool,
    /// How often the user gets one mail about everything; `None` for a mail about each thread.
    pub digest: Option<Digest>,
    /// Whether the user is reminded of due issues.
    pub gets_reminders: bool,
}

impl Default for Preferences {
    fn default() -> Preferences {
        Preferences {
            newest_first: false,
            watches_contributions: true,
            default_query: None,
            watches_mentions: true,
            mails_own_events: false,
            follows_high_priority: false,
            digest: None,
            gets_reminders: true,
        }
    }
}

/// A change of preferences; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreferencesChange {
    /// Whether histories show the newest entry first.
    pub newest_first: Option<bool>,
    /// Whether the user watches issues automatically after contributing.
    pub watches_contributions: Option<bool>,
    /// The saved query with which lists of issues start.
    pub default_query: Patch<QueryId>,
    /// Whether the user watches what they are mentioned in.
    pub watches_mentions: Option<bool>,
    /// Whether the user gets mail about what they do themselves.
    pub mails_own_events: Option<bool>,
    /// Whether the user is told of all issues of their projects with a high priority.
    pub follows_high_priority: Option<bool>,
    /// How often the user gets one mail about everything.
    pub digest: Patch<Digest>,
    /// Whether the user is reminded of due issues.
    pub gets_reminders: Option<bool>,
}

impl PreferencesChange {
    /// Returns the preferences after the change.
    #[must_use]
    pub fn apply_to(&self, before: Preferences) -> Preferences {
        Preferences {
            newest_first: self.newest_first.unwrap_or(before.newest_first),
            watches_contributions: self
                .watches_contributions
                .unwrap_or(before.watches_contributions),
            default_query: self.default_query.apply_to(before.default_query),
            watches_mentions: self.watches_mentions.unwrap_or(before.watches_mentions),
            mails_own_events: self.mails_own_events.unwrap_or(before.mails_own_events),
            follows_high_priority: self
                .follows_high_priority
                .unwrap_or(before.follows_high_priority),
            digest: self.digest.apply_to(before.digest),
            gets_reminders: self.gets_reminders.unwrap_or(before.gets_reminders),
        }
    }
}
