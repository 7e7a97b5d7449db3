//! Reactions of people to records (compatibility 13.8).

use crate::access::permission::Permission;
use crate::ids::UserId;
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The types of records that people can react to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr)]
pub enum ReactableType {
    /// Issues.
    #[default]
    Issue,
    /// Journals: notes and changes of issues.
    Journal,
    /// News items.
    News,
    /// Comments on news items.
    Comment,
    /// Topics of forums and their replies.
    Message,
}

impl ReactableType {
    /// Returns the name of the type in the store, which is that of Redmine's model.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the scope that an access token needs to react: that to comment (compatibility 4.1).
    /// Users need no permission.
    pub fn scope(self) -> Permission {
        match self {
            Self::Issue | Self::Journal => Permission::AddIssueNotes,
            Self::News | Self::Comment => Permission::CommentNews,
            Self::Message => Permission::AddMessages,
        }
    }
}

/// A record that people can react to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reactable {
    pub reactable_type: ReactableType,
    /// Its id among the records of the type.
    pub id: i64,
}

/// What a reaction says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ReactionContent {
    /// Approval, the only reaction that Redmine has.
    #[default]
    ThumbsUp,
    /// Disapproval.
    ThumbsDown,
    /// Laughter.
    Laugh,
    /// Celebration.
    Hooray,
    /// Affection.
    Heart,
    /// Looking into it.
    Eyes,
}

impl ReactionContent {
    /// All of them, in the order in which they are shown.
    pub const ALL: &'static [ReactionContent] = Self::VARIANTS;

    /// Returns the name in the store and the API.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns what has this name; `None` if nothing has it.
    pub fn parse(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Returns the emoji.
    pub fn emoji(self) -> &'static str {
        match self {
            Self::ThumbsUp => "👍",
            Self::ThumbsDown => "👎",
            Self::Laugh => "😄",
            Self::Hooray => "🎉",
            Self::Heart => "❤️",
            Self::Eyes => "👀",
        }
    }

    /// Returns the name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::ThumbsUp => "Thumbs up",
            Self::ThumbsDown => "Thumbs down",
            Self::Laugh => "Laugh",
            Self::Hooray => "Hooray",
            Self::Heart => "Heart",
            Self::Eyes => "Eyes",
        }
    }
}

/// A reaction. A user may have several to a record, with different contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reaction {
    /// The record to which the user reacted.
    pub reactable: Reactable,
    pub user: UserId,
    pub content: ReactionContent,
    pub created_on: Timestamp,
}
