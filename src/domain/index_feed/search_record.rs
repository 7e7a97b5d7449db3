//! Records of search results: what the results have in common, whatever their content type.

use super::kind::Kind;
use crate::ids::{JournalId, PrincipalId, ProjectId, StatusId, TrackerId, UserId};
use jiff::Timestamp;

/// A record of a search result.
#[derive(Clone, Debug, Default)]
pub struct SearchRecord {
    pub kind: Kind,
    pub id: i64,
    pub project: ProjectId,
    pub created_on: Timestamp,
    /// Subject, title or name; the whole message of a changeset.
    pub title: String,
    /// Description, content or text, as markup; `None` is null, which differs from an empty text.
    pub text: Option<String>,
    /// Its author, or of a wiki page that of the current version; `None` for documents, projects
    /// and unknown committers.
    pub author: Option<UserId>,
    /// Attributes of some content types only.
    pub details: Details,
    /// Notes that the viewer may read, in their order.
    pub notes: Vec<String>,
    /// The journals of these notes.
    pub journals: Vec<JournalId>,
    /// Values of searchable custom fields that the viewer may see.
    pub custom: Vec<String>,
    /// Names and descriptions of its attachments, if the viewer may see them.
    pub attachments: Vec<String>,
}

impl SearchRecord {
    /// Whether it has notes, custom field values or attachments.
    pub fn has_related_texts(&self) -> bool {
        !(self.notes.is_empty() && self.custom.is_empty() && self.attachments.is_empty())
    }
}

/// Attributes of some content types only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Details {
    /// No further attributes.
    #[default]
    None,
    /// An issue.
    Issue {
        /// Its tracker.
        tracker: TrackerId,
        /// Its status.
        status: StatusId,
        assignee: Option<PrincipalId>,
        updated_on: Timestamp,
    },
    /// A news item.
    News {
        /// Its summary; empty if there is none.
        summary: String,
    },
    /// A changeset.
    Changeset {
        /// The identifier of its repository; empty for the main repository.
        repository: String,
        /// The id of its repository.
        repository_id: i64,
        /// The revision in the repository.
        revision: String,
        /// The committer, as in the repository.
        committer: String,
    },
    /// A forum message.
    Message {
        /// The id of its board.
        board: i64,
        /// The name of its board.
        board_name: String,
        /// The topic to which it is a reply; `None` for a topic.
        topic: Option<i64>,
    },
}
