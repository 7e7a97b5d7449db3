//! One type per kind of id, so that a project id cannot be passed where an issue id is expected.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// A user. Users and groups share one id space, as in Redmine.
    UserId,
    /// A user or a group: a principal that can be a member or an assignee.
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
    /// A journal: an entry of the history of an issue.
    JournalId,
    /// A custom field.
    CustomFieldId,
    /// A relation between two issues.
    RelationId,
    /// A time entry.
    TimeEntryId,
    /// A saved query.
    QueryId,
    /// A text that people insert into comments.
    SavedReplyId,
    /// A template of issues.
    IssueTemplateId,
    /// A file attached to a record.
    AttachmentId,
    /// A page of a wiki.
    WikiPageId,
    /// A session of a browser.
    SessionId,
    /// An application that is registered for OAuth 2.0.
    ApplicationId,
    /// The consent of a user to an application.
    GrantId,
    /// A membership: a user or a group in a project.
    MembershipId,
    /// A comment on a news item.
    CommentId,
}

impl From<UserId> for PrincipalId {
    fn from(user: UserId) -> Self {
        Self(user.0)
    }
}
