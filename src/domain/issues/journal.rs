//! Journals: the history of issues (compatibility 6.2).

use crate::ids::{AttachmentId, IssueId, JournalId, UserId};
use jiff::Timestamp;

/// A journal: a note, changes of an issue, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journal {
    pub id: JournalId,
    pub issue: IssueId,
    pub user: UserId,
    /// `None` and the empty text both mean no notes; responses show null and the empty text.
    pub notes: Option<String>,
    /// Whether the notes are private.
    pub private: bool,
    pub created_on: Timestamp,
    /// When the notes were last changed; the creation if they never were.
    pub updated_on: Timestamp,
    /// Who changed them last.
    pub updated_by: Option<UserId>,
    pub details: Vec<JournalDetail>,
}

impl Journal {
    /// Returns the ids of the files that came with the entry.
    pub fn added_files(&self) -> Vec<AttachmentId> {
        let added = self
            .details
            .iter()
            .filter(|detail| detail.property == "attachment" && detail.new_value.is_some());
        added
            .filter_map(|detail| detail.name.parse().ok().map(AttachmentId))
            .collect()
    }
}

/// A detail of a journal: the change of one attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalDetail {
    /// `attr`, `cf`, `attachment` or `relation`.
    pub property: String,
    /// The attribute, the id of the custom field or attachment, or the type of the relation.
    pub name: String,
    pub old_value: Option<String>,
    pub new_value: Option<String>,
}
