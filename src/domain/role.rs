//! Roles: what their holders may do, and how much they see.

use super::id_set::IdSet;
use super::ids::RoleId;
use super::permission::{Permission, PermissionSet, Requirement};
use std::collections::HashMap;
use std::sync::Arc;

/// Which issues of a project a role shows (compatibility 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IssuesVisibility {
    /// Only those written by the viewer or assigned to the viewer or one of the viewer's groups.
    Own,
    /// All but the private ones; of the private ones the viewer's own.
    Default,
    /// All, private ones included.
    All,
}

impl IssuesVisibility {
    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Default => "default",
            Self::All => "all",
        }
    }

    /// Returns the visibility with this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Own, Self::Default, Self::All].into_iter().find(|visibility| visibility.name() == name)
    }
}

/// Which time entries of a project a role shows (compatibility 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimeEntriesVisibility {
    /// Only the viewer's own.
    Own,
    /// All.
    All,
}

impl TimeEntriesVisibility {
    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::All => "all",
        }
    }

    /// Returns the visibility with this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Own, Self::All].into_iter().find(|visibility| visibility.name() == name)
    }
}

/// Which users a role shows (compatibility 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UsersVisibility {
    /// Only the viewer, and members of projects that the viewer can see.
    MembersOfVisibleProjects,
    /// All active ones.
    All,
}

impl UsersVisibility {
    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::MembersOfVisibleProjects => "members_of_visible_projects",
            Self::All => "all",
        }
    }

    /// Returns the visibility with this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::MembersOfVisibleProjects, Self::All].into_iter().find(|visibility| visibility.name() == name)
    }
}

/// The two roles that nobody is given: they apply by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// A user who is not a member of a public project.
    NonMember,
    /// Somebody who is not logged in.
    Anonymous,
}

impl Builtin {
    /// The number under which the store keeps it (0 is an ordinary role).
    pub fn from_code(code: i64) -> Option<Self> {
        match code {
            1 => Some(Self::NonMember),
            2 => Some(Self::Anonymous),
            _ => None,
        }
    }
}

/// A role.
#[derive(Clone, Debug)]
pub struct Role {
    /// The id.
    pub id: RoleId,
    /// The name.
    pub name: String,
    /// Position in lists.
    pub position: i64,
    /// Whether it is one of the two that apply by themselves.
    pub builtin: Option<Builtin>,
    /// Whether issues can be assigned to its holders.
    pub assignable: bool,
    /// What it allows, as stored.
    pub permissions: PermissionSet,
    /// What it allows for issues of these trackers alone; what is not named here it allows for issues of every tracker.
    pub trackers: HashMap<Permission, Arc<IdSet>>,
    /// Which issues it shows.
    pub issues_visibility: IssuesVisibility,
    /// Which time entries it shows, with the permission to view them.
    pub time_entries_visibility: TimeEntriesVisibility,
    /// Which users it shows.
    pub users_visibility: UsersVisibility,
}

impl Role {
    /// What the role really gives: its permissions with the public ones, less those that it cannot have.
    pub fn effective_permissions(&self) -> PermissionSet {
        PermissionSet::matching(|permission| match permission.requirement() {
            Requirement::Public => true,
            Requirement::None => self.permissions.contains(permission),
            Requirement::LoggedIn => self.builtin != Some(Builtin::Anonymous) && self.permissions.contains(permission),
            Requirement::Member => self.builtin.is_none() && self.permissions.contains(permission),
        })
    }

    /// Which issues the role shows; to somebody who is not logged in, at most those that are not private (compatibility 5).
    pub fn issues_visibility(&self) -> IssuesVisibility {
        match self.builtin {
            Some(Builtin::Anonymous) => self.issues_visibility.min(IssuesVisibility::Default),
            _ => self.issues_visibility,
        }
    }
}
