//! Reactions of people to records (compatibility 13.8).

use crate::access::permission::Permission;
use crate::ids::UserId;
use jiff::Timestamp;
use strum::IntoStaticStr;

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

/// A reaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reaction {
    /// The record to which the user reacted.
    pub reactable: Reactable,
    pub user: UserId,
    pub created_on: Timestamp,
}
