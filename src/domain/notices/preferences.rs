//! Preferences about notices.

use super::digest::Digest;
use crate::ids::{ProjectId, UserId};
use std::collections::{HashMap, HashSet};
use strum::EnumString;

/// Of which events a person is told, in the inbox and by mail. The names are those of Redmine; an
/// empty one stands for the default of the service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
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
