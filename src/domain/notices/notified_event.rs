//! The events of the setting `notified_events`.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// An event of which people are told if the setting contains its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum NotifiedEvent {
    IssueAdded,
    IssueUpdated,
    IssueNoteAdded,
    IssueStatusUpdated,
    IssueAssignedToUpdated,
    IssuePriorityUpdated,
    IssueFixedVersionUpdated,
    IssueAttachmentAdded,
    NewsAdded,
    NewsCommentAdded,
    DocumentAdded,
    FileAdded,
    MessagePosted,
    WikiContentAdded,
    WikiContentUpdated,
}

impl NotifiedEvent {
    /// All events, in the order in which they are offered.
    pub const ALL: &[NotifiedEvent] = Self::VARIANTS;

    /// Returns the name in the setting.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the label.
    pub fn label(self) -> &'static str {
        match self {
            Self::IssueAdded => "Issue added",
            Self::IssueUpdated => "Issue changed in any way",
            Self::IssueNoteAdded => "Note added",
            Self::IssueStatusUpdated => "Status changed",
            Self::IssueAssignedToUpdated => "Assignee changed",
            Self::IssuePriorityUpdated => "Priority changed",
            Self::IssueFixedVersionUpdated => "Version changed",
            Self::IssueAttachmentAdded => "File added to an issue",
            Self::NewsAdded => "News added",
            Self::NewsCommentAdded => "Comment on news",
            Self::DocumentAdded => "Document added",
            Self::FileAdded => "File added to a project",
            Self::MessagePosted => "Message in a forum",
            Self::WikiContentAdded => "Wiki page added",
            Self::WikiContentUpdated => "Wiki page changed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::administration::setting::Setting;

    #[test]
    fn default_of_the_setting_has_only_names_of_events() {
        for name in Setting::NotifiedEvents.default_value().split(',') {
            assert!(name.parse::<NotifiedEvent>().is_ok(), "{name}");
        }
    }
}
