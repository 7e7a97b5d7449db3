//! Preferences about notices.

use super::digest::Digest;
use crate::ids::{ProjectId, UserId};
use std::collections::{HashMap, HashSet};

/// Of which events a person is told, in the inbox and by mail. The names are those of Redmine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MailNotification {
    /// Every event of their projects.
    All,
    /// Every event of projects that they have chosen, and what they watch or are involved in.
    Selected,
    /// What they watch or are involved in.
    #[default]
    OnlyMyEvents,
    /// What they watch, and what is or was assigned to them.
    OnlyAssigned,
    /// What they watch or have written.
    OnlyOwner,
    /// As `OnlyMyEvents`, but in the inbox only; no news that they do not watch.
    None,
}

impl MailNotification {
    /// Returns the choice with this name; `None` for the empty text, which stands for the default
    /// of the service, and for unknown names.
    pub fn parse(name: &str) -> Option<MailNotification> {
        Some(match name {
            "all" => MailNotification::All,
            "selected" => MailNotification::Selected,
            "only_my_events" => MailNotification::OnlyMyEvents,
            "only_assigned" => MailNotification::OnlyAssigned,
            "only_owner" => MailNotification::OnlyOwner,
            "none" => MailNotification::None,
            _ => return None,
        })
    }
}

/// The preferences about notices that are not attributes of a user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoticePreferences {
    /// The users who want every event of a project.
    pub selected: HashMap<ProjectId, Vec<UserId>>,
    /// The users who are told by mail of what they do themselves.
    pub own_events: HashSet<UserId>,
    /// The users who are told of all issues of their projects with a high priority.
    pub high_priority: HashSet<UserId>,
    /// The users who get digests.
    pub digests: HashMap<UserId, Digest>,
    /// The users who want no reminders.
    pub without_reminders: HashSet<UserId>,
}
