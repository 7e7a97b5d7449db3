//! One type per kind of identifier, so that a project's number cannot be passed where an issue's is meant.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<i64> for $name {
            fn from(id: i64) -> Self {
                Self(id)
            }
        }

        impl From<$name> for i64 {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    )*};
}

ids! {
    /// A project.
    ProjectId,
    /// An issue.
    IssueId,
    /// A user. Users and groups share one number space, as in Redmine.
    UserId,
    /// A user or a group: whoever can be a member or an assignee.
    PrincipalId,
    /// A role.
    RoleId,
    /// A tracker.
    TrackerId,
    /// An issue status.
    StatusId,
    /// A priority, an activity or a document category.
    EnumerationId,
    /// An issue category.
    CategoryId,
    /// A version of a project.
    VersionId,
    /// An entry of an issue's history.
    JournalId,
    /// A custom field.
    CustomFieldId,
    /// A relation between two issues.
    RelationId,
    /// A time entry.
    TimeEntryId,
    /// A saved query.
    QueryId,
    /// A file that hangs on a record.
    AttachmentId,
    /// A page of a wiki.
    WikiPageId,
}

impl From<UserId> for PrincipalId {
    fn from(user: UserId) -> Self {
        Self(user.0)
    }
}
