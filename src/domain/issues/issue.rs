//! Issues.

use crate::access::visible::AccessAttributes;
use crate::administration::custom_field::RequestedValues;
use crate::ids::{
    AttachmentId, CategoryId, EnumerationId, IssueId, PrincipalId, ProjectId, StatusId, TrackerId,
    UserId, VersionId,
};
use crate::values::patch::Patch;
use jiff::Timestamp;
use jiff::civil::Date;

/// Maximum length of a subject in characters (compatibility 3.6).
pub const MAX_SUBJECT_LENGTH: usize = 255;

/// An issue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Issue {
    pub id: IssueId,
    pub project: ProjectId,
    pub tracker: TrackerId,
    pub status: StatusId,
    pub priority: EnumerationId,
    pub author: UserId,
    pub assignee: Option<PrincipalId>,
    pub category: Option<CategoryId>,
    /// The target version.
    pub version: Option<VersionId>,
    pub parent: Option<IssueId>,
    /// The subject, one line.
    pub subject: String,
    /// The description; `None` if it was never set.
    pub description: Option<String>,
    pub private: bool,
    pub start_date: Option<Date>,
    pub due_date: Option<Date>,
    /// The done ratio, 0 to 100 per cent.
    pub done_ratio: i64,
    /// The estimated time in hours.
    pub estimated_hours: Option<f64>,
    pub created_on: Timestamp,
    pub updated_on: Timestamp,
    /// When it was closed; `None` while it is open.
    pub closed_on: Option<Timestamp>,
}

impl Issue {
    /// Returns the attributes that decide who may see it.
    pub fn access_attributes(&self) -> AccessAttributes {
        AccessAttributes {
            project: self.project,
            private: self.private,
            author: Some(self.author),
            assignee: self.assignee,
            tracker: Some(self.tracker),
        }
    }
}

/// The attributes of an issue in a request. An id that is not a number becomes `0`, which no record
/// has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IssueChange {
    /// The project, by id or identifier.
    pub project: Patch<String>,
    pub tracker: Patch<TrackerId>,
    pub status: Patch<StatusId>,
    pub priority: Patch<EnumerationId>,
    /// The assignee; `me` is already resolved.
    pub assignee: Patch<PrincipalId>,
    pub category: Patch<CategoryId>,
    /// The target version.
    pub version: Patch<VersionId>,
    /// The parent issue: `14` or `#14`.
    pub parent: Patch<String>,
    pub start_date: Patch<String>,
    pub due_date: Patch<String>,
    /// The done ratio in per cent.
    pub done_ratio: Patch<String>,
    /// The estimated time in any notation of compatibility 6.4.
    pub estimated_hours: Patch<String>,
    /// The values of custom fields.
    pub custom: RequestedValues,
    /// The watchers; for new issues only.
    pub watchers: Patch<Vec<PrincipalId>>,
    /// The attachments to delete; for updates only. Those of other records are ignored.
    pub deleted_files: Patch<Vec<AttachmentId>>,
    /// The version of the issue that the update is based on.
    pub lock_version: Patch<i64>,
    pub subject: Patch<String>,
    pub description: Patch<String>,
    /// Whether it is private.
    pub private: Patch<bool>,
    /// A note to add.
    pub notes: Patch<String>,
    /// Whether that note is private.
    pub private_notes: Patch<bool>,
    /// Whether the values are those that the issue had shortly before. They are valid even where
    /// they could not be chosen any more, such as an assignee who has left the project.
    pub restores: bool,
}
