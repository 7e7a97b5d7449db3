//! Issues.

use super::custom_field::Asked;
use super::given::Given;
use super::ids::{CategoryId, EnumerationId, IssueId, PrincipalId, ProjectId, StatusId, TrackerId, UserId, VersionId};
use super::visibility::Facts;
use jiff::Timestamp;
use jiff::civil::Date;

/// The longest subject (spec, "Limits").
pub const LONGEST_SUBJECT: usize = 255;

/// An issue as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// Its number.
    pub id: IssueId,
    /// Where it belongs.
    pub project: ProjectId,
    /// What it is.
    pub tracker: TrackerId,
    /// How far it has come.
    pub status: StatusId,
    /// How much it matters.
    pub priority: EnumerationId,
    /// Who wrote it.
    pub author: UserId,
    /// Who is to do it.
    pub assignee: Option<PrincipalId>,
    /// The part of the project that it concerns.
    pub category: Option<CategoryId>,
    /// The version for which it is planned.
    pub version: Option<VersionId>,
    /// The issue of which it is a part.
    pub parent: Option<IssueId>,
    /// What it is about, in one line.
    pub subject: String,
    /// What it is about, at length; `None` when never given.
    pub description: Option<String>,
    /// Whether only some may see it.
    pub private: bool,
    /// When work begins.
    pub start_date: Option<Date>,
    /// When it is to be done.
    pub due_date: Option<Date>,
    /// How much is done, 0 to 100 per cent.
    pub done_ratio: i64,
    /// How long it will take, in hours.
    pub estimated_hours: Option<f64>,
    /// When it was written.
    pub created_on: Timestamp,
    /// When it was last changed.
    pub updated_on: Timestamp,
    /// When it was closed; `None` while it is open.
    pub closed_on: Option<Timestamp>,
}

impl Issue {
    /// What decides who may see it.
    pub fn facts(&self) -> Facts {
        Facts {
            project: self.project,
            private: self.private,
            author: Some(self.author),
            assignee: self.assignee,
            tracker: Some(self.tracker),
        }
    }
}

/// What a request wants of an issue. Numbers that are not numbers arrive as `0`, which no record has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IssueChange {
    /// The project, by number or identifier.
    pub project: Given<String>,
    /// The tracker.
    pub tracker: Given<TrackerId>,
    /// The status.
    pub status: Given<StatusId>,
    /// The priority.
    pub priority: Given<EnumerationId>,
    /// The assignee; `me` is resolved before.
    pub assignee: Given<PrincipalId>,
    /// The category.
    pub category: Given<CategoryId>,
    /// The version for which it is planned.
    pub version: Given<VersionId>,
    /// The issue of which it is to be a part: `14` or `#14`.
    pub parent: Given<String>,
    /// When work begins.
    pub start_date: Given<String>,
    /// When it is to be done.
    pub due_date: Given<String>,
    /// How much is done, in per cent.
    pub done_ratio: Given<String>,
    /// How long it will take, in any notation of contract 4.4.
    pub estimated_hours: Given<String>,
    /// Values of custom fields.
    pub custom: Asked,
    /// Who is to watch it; of new issues only.
    pub watchers: Given<Vec<PrincipalId>>,
    /// The version of the issue on which the change is based.
    pub lock_version: Given<i64>,
    /// The subject.
    pub subject: Given<String>,
    /// The description.
    pub description: Given<String>,
    /// Whether it is private.
    pub private: Given<bool>,
    /// A note to add.
    pub notes: Given<String>,
    /// Whether that note is private.
    pub private_notes: Given<bool>,
}
