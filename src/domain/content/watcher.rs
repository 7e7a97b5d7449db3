//! Watchers, and the records that users and groups can watch (compatibility 6.7 and 13.6).

use crate::access::permission::Permission;
use crate::ids::{IssueId, PrincipalId, WikiPageId};
use strum::{EnumString, IntoStaticStr};

/// The types of records that can be watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr)]
pub enum WatchableType {
    /// Issues.
    #[default]
    Issue,
    /// News items.
    News,
    /// Enabled modules of projects. Only that of the news is watched: all news of the project.
    EnabledModule,
    /// Boards of a forum.
    Board,
    /// Topics of a forum.
    Message,
    /// Wiki pages.
    WikiPage,
    /// Wikis as a whole.
    Wiki,
}

/// The permissions over the watchers of a record.
#[derive(Clone, Copy, Debug)]
pub struct WatcherPermissions {
    /// To see them.
    pub view: Permission,
    /// To add some.
    pub add: Permission,
    /// To remove some.
    pub delete: Permission,
}

impl WatchableType {
    /// Returns the name of the type in the store, which is that of Redmine's model.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the permissions over the watchers of such records; `None` if only administrators
    /// have them.
    pub fn permissions(self) -> Option<WatcherPermissions> {
        match self {
            Self::Issue => Some(WatcherPermissions {
                view: Permission::ViewIssueWatchers,
                add: Permission::AddIssueWatchers,
                delete: Permission::DeleteIssueWatchers,
            }),
            Self::Message => Some(WatcherPermissions {
                view: Permission::ViewMessageWatchers,
                add: Permission::AddMessageWatchers,
                delete: Permission::DeleteMessageWatchers,
            }),
            Self::WikiPage => Some(WatcherPermissions {
                view: Permission::ViewWikiPageWatchers,
                add: Permission::AddWikiPageWatchers,
                delete: Permission::DeleteWikiPageWatchers,
            }),
            Self::News | Self::EnabledModule | Self::Board | Self::Wiki => None,
        }
    }

    /// Returns the scope that an access token needs so that its user begins or ceases to watch
    /// (compatibility 4.1). Users need no permission.
    pub fn own_scope(self) -> Permission {
        match self {
            Self::Issue => Permission::AddIssueWatchers,
            Self::Board | Self::Message => Permission::AddMessageWatchers,
            Self::Wiki | Self::WikiPage => Permission::AddWikiPageWatchers,
            Self::News | Self::EnabledModule => Permission::CommentNews,
        }
    }
}

/// A record that can be watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watchable {
    pub watchable_type: WatchableType,
    /// Its id among the records of the type.
    pub id: i64,
}

impl Watchable {
    /// Returns the record of this type with this id.
    pub fn new(watchable_type: WatchableType, id: i64) -> Watchable {
        Watchable { watchable_type, id }
    }
}

impl From<IssueId> for Watchable {
    fn from(id: IssueId) -> Watchable {
        Watchable::new(WatchableType::Issue, id.0)
    }
}

impl From<WikiPageId> for Watchable {
    fn from(id: WikiPageId) -> Watchable {
        Watchable::new(WatchableType::WikiPage, id.0)
    }
}

/// A watcher: a user or a group that watches a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watcher {
    pub watchable: Watchable,
    pub principal: PrincipalId,
}

impl Watcher {
    /// Returns the watcher of this record.
    pub fn new(watchable: impl Into<Watchable>, principal: impl Into<PrincipalId>) -> Watcher {
        Watcher {
            watchable: watchable.into(),
            principal: principal.into(),
        }
    }
}
