//! Roles: permissions and visibility of records.

use super::permission::{Permission, PermissionSet, Requirement};
use crate::ids::RoleId;
use crate::values::id_set::IdSet;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use strum::{EnumString, FromRepr, IntoStaticStr};

/// Which issues of a project a role shows (compatibility 5).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum IssuesVisibility {
    /// Only those written by the viewer or assigned to the viewer or one of the viewer's groups.
    Own,
    /// All but the private ones; of the private ones the viewer's own.
    #[default]
    Default,
    /// All, private ones included.
    All,
}

impl IssuesVisibility {
    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Which time entries of a project a role shows (compatibility 5).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum TimeEntriesVisibility {
    /// Only the viewer's own.
    Own,
    /// All.
    #[default]
    All,
}

impl TimeEntriesVisibility {
    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Which users a role shows (compatibility 5).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum UsersVisibility {
    /// Only the viewer, and members of projects that the viewer can see.
    MembersOfVisibleProjects,
    /// All active ones.
    #[default]
    All,
}

impl UsersVisibility {
    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A builtin role. Builtin roles are not assigned; they apply automatically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRepr, IntoStaticStr)]
#[repr(i64)]
#[strum(serialize_all = "snake_case")]
pub enum Builtin {
    /// For users in public projects of which they are not members.
    NonMember = 1,
    /// For requests without login.
    Anonymous = 2,
}

impl Builtin {
    /// Returns the name in the API (compatibility 14).
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the stored code. That of an ordinary role is 0.
    pub fn code(self) -> i64 {
        self as i64
    }
}

/// The permissions that a role can have for issues of some trackers only (compatibility 14).
pub const TRACKER_PERMISSIONS: [Permission; 5] = [
    Permission::ViewIssues,
    Permission::AddIssues,
    Permission::EditIssues,
    Permission::AddIssueNotes,
    Permission::DeleteIssues,
];

/// A role.
#[derive(Clone, Debug, Default)]
pub struct Role {
    pub id: RoleId,
    pub name: String,
    /// Position in lists.
    pub position: i64,
    /// The builtin role that it is; `None` for an ordinary role.
    pub builtin: Option<Builtin>,
    /// Whether issues can be assigned to members with the role.
    pub assignable: bool,
    /// The permissions, as stored.
    pub permissions: PermissionSet,
    /// The same in the order in which they were given.
    pub permission_list: Vec<Permission>,
    /// The roles that its members may give to members of the project, if they may manage them;
    /// `None` for all ordinary roles.
    pub managed: Option<HashSet<RoleId>>,
    /// The trackers to whose issues a permission is limited. A permission that is missing applies
    /// to issues of all trackers.
    pub tracker_limits: HashMap<Permission, Arc<IdSet>>,
    /// The issues that it shows.
    pub issues_visibility: IssuesVisibility,
    /// The time entries that it shows, if it has the permission to view them.
    pub time_entries_visibility: TimeEntriesVisibility,
    /// The users that it shows.
    pub users_visibility: UsersVisibility,
}

impl Role {
    /// Returns the permissions that apply: the stored ones and the public ones, without those that
    /// the role cannot have.
    pub fn effective_permissions(&self) -> PermissionSet {
        PermissionSet::matching(|permission| {
            let is_granted = permission.requirement() == Requirement::Public
                || self.permissions.contains(permission);
            is_granted && self.can_have(permission)
        })
    }

    /// Whether the role can have the permission: builtin roles cannot have every one.
    pub fn can_have(&self, permission: Permission) -> bool {
        match permission.requirement() {
            Requirement::Public | Requirement::None => true,
            Requirement::LoggedIn => self.builtin != Some(Builtin::Anonymous),
            Requirement::Member => self.builtin.is_none(),
        }
    }

    /// Returns which issues the role shows. Anonymous users never see all private issues
    /// (compatibility 5).
    pub fn issues_visibility(&self) -> IssuesVisibility {
        match self.builtin {
            Some(Builtin::Anonymous) => self.issues_visibility.min(IssuesVisibility::Default),
            _ => self.issues_visibility,
        }
    }
}
