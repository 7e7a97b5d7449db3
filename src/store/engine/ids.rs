//! Conversions between ids and integer columns.

use super::{ColumnValue, FromColumn, Value};
use quarry_domain::ids::{
    ApplicationId, AttachmentId, CategoryId, CommentId, CustomFieldId, EnumerationId, GrantId,
    IssueId, IssueTemplateId, JournalId, MembershipId, PrincipalId, ProjectId, QueryId, RelationId,
    RoleId, SavedReplyId, SessionId, StatusId, TimeEntryId, TrackerId, UserId, VersionId,
    WikiPageId,
};

macro_rules! ids {
    ($($id:ident),*) => {$(
        impl From<$id> for Value {
            fn from(id: $id) -> Self {
                Value::Int(id.0)
            }
        }

        impl FromColumn for $id {
            fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
                i64::from_column(value).map($id)
            }
        }
    )*};
}

ids!(
    ApplicationId,
    AttachmentId,
    CategoryId,
    CommentId,
    CustomFieldId,
    EnumerationId,
    GrantId,
    IssueId,
    JournalId,
    MembershipId,
    PrincipalId,
    ProjectId,
    QueryId,
    SavedReplyId,
    IssueTemplateId,
    RelationId,
    RoleId,
    SessionId,
    StatusId,
    TimeEntryId,
    TrackerId,
    UserId,
    VersionId,
    WikiPageId
);
