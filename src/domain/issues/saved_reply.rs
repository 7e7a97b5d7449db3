//! Saved replies: texts that people insert into comments.

use crate::ids::{ProjectId, SavedReplyId, UserId};

/// Maximum length of the name of a reply in characters.
pub const MAX_REPLY_NAME_LENGTH: usize = 100;

/// Maximum length of the text of a reply in characters.
pub const MAX_REPLY_LENGTH: usize = 20_000;

/// Maximum number of replies of a user, and of a project.
pub const MAX_REPLIES: usize = 100;

/// To whom a reply belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReplyOwner {
    /// A user, who alone sees it.
    User(UserId),
    /// A project: everybody who comments on its issues uses it.
    Project(ProjectId),
}

impl From<UserId> for ReplyOwner {
    fn from(user: UserId) -> ReplyOwner {
        ReplyOwner::User(user)
    }
}

impl From<ProjectId> for ReplyOwner {
    fn from(project: ProjectId) -> ReplyOwner {
        ReplyOwner::Project(project)
    }
}

/// A text for comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedReply {
    pub id: SavedReplyId,
    pub owner: ReplyOwner,
    pub name: String,
    /// The text, as markup.
    pub content: String,
}

impl SavedReply {
    /// Returns an empty reply of this owner.
    pub fn new(owner: ReplyOwner) -> SavedReply {
        SavedReply {
            id: SavedReplyId(0),
            owner,
            name: String::new(),
            content: String::new(),
        }
    }
}
