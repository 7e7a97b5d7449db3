//! Everything that is not content, held in memory: who there is, which projects, and by which rules they work.
//!
//! A catalogue is a snapshot; a change makes a new one with a new version. Requests read names and rights from it
//! instead of joining tables.

use super::ids::{CategoryId, EnumerationId, PrincipalId, ProjectId, RoleId, StatusId, TrackerId, UserId, VersionId};
use super::project::Project;
use super::role::{Builtin, Role};
use super::setting::Setting;
use super::user::{Group, User};
use super::workflow::Workflow;
use std::collections::HashMap;

/// A membership, as given: inheritance and groups are resolved when the question is asked.
#[derive(Clone, Debug)]
pub struct Member {
    /// Where.
    pub project: ProjectId,
    /// Who: a user or a group.
    pub principal: PrincipalId,
    /// As what.
    pub roles: Vec<RoleId>,
}

/// A tracker.
#[derive(Clone, Debug)]
pub struct Tracker {
    /// Its number.
    pub id: TrackerId,
    /// Its name.
    pub name: String,
    /// Where it stands in lists.
    pub position: i64,
    /// The status with which an issue of it begins.
    pub default_status: StatusId,
}

/// An issue status.
#[derive(Clone, Debug)]
pub struct Status {
    /// Its number.
    pub id: StatusId,
    /// Its name.
    pub name: String,
    /// Where it stands in lists.
    pub position: i64,
    /// Whether an issue in it is done with.
    pub is_closed: bool,
}

/// What an enumeration lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnumerationKind {
    /// Priorities of issues.
    IssuePriority,
    /// Activities of time entries.
    TimeEntryActivity,
    /// Categories of documents.
    DocumentCategory,
}

impl EnumerationKind {
    /// The stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::IssuePriority => "IssuePriority",
            Self::TimeEntryActivity => "TimeEntryActivity",
            Self::DocumentCategory => "DocumentCategory",
        }
    }

    /// The kind of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::IssuePriority, Self::TimeEntryActivity, Self::DocumentCategory].into_iter().find(|kind| kind.name() == name)
    }
}

/// A value of an enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its number.
    pub id: EnumerationId,
    /// What it is a value of.
    pub kind: EnumerationKind,
    /// Its name.
    pub name: String,
    /// Where it stands in lists.
    pub position: i64,
    /// Whether it is taken when nothing is said.
    pub is_default: bool,
    /// Whether it can still be chosen.
    pub active: bool,
}

/// The snapshot.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Counts the changes that made it; two snapshots with the same version say the same.
    pub version: i64,
    /// Users by number.
    pub users: HashMap<UserId, User>,
    /// Numbers of users by lower-case login.
    pub logins: HashMap<String, UserId>,
    /// Groups by number.
    pub groups: HashMap<PrincipalId, Group>,
    /// Roles in the order of their positions.
    pub roles: Vec<Role>,
    /// Memberships.
    pub members: Vec<Member>,
    /// Projects by number.
    pub projects: HashMap<ProjectId, Project>,
    /// Projects in the order of the tree: each before those below it, brothers by name.
    pub tree: Vec<ProjectId>,
    /// Numbers of projects by identifier.
    pub identifiers: HashMap<String, ProjectId>,
    /// Trackers in the order of their positions.
    pub trackers: Vec<Tracker>,
    /// Statuses in the order of their positions.
    pub statuses: Vec<Status>,
    /// Enumerations in the order of their positions.
    pub enumerations: Vec<Enumeration>,
    /// Names of issue categories.
    pub categories: HashMap<CategoryId, String>,
    /// Names of versions.
    pub versions: HashMap<VersionId, String>,
    /// Which status may follow which.
    pub workflow: Workflow,
    /// The projects that users have marked.
    pub bookmarks: HashMap<UserId, Vec<ProjectId>>,
    /// Settings that were set.
    pub settings: HashMap<Setting, String>,
}

impl Catalogue {
    /// The value of a setting, or its default.
    pub fn setting(&self, setting: Setting) -> &str {
        self.settings.get(&setting).map_or(setting.default_value(), String::as_str)
    }

    /// Whether a setting that is a switch is on.
    pub fn is_on(&self, setting: Setting) -> bool {
        self.setting(setting) == "1"
    }

    /// The user with this login, without regard to case.
    pub fn user_by_login(&self, login: &str) -> Option<&User> {
        self.logins.get(&login.to_lowercase()).and_then(|id| self.users.get(id))
    }

    /// The name of a user or group.
    pub fn principal_name(&self, id: PrincipalId) -> Option<&str> {
        match self.users.get(&UserId(id.0)) {
            Some(user) => Some(&user.name),
            None => self.groups.get(&id).map(|group| group.name.as_str()),
        }
    }

    /// The project with this number or identifier (spec, conventions rule 7).
    pub fn project_by(&self, reference: &str) -> Option<&Project> {
        let id = match self.identifiers.get(reference) {
            Some(id) => *id,
            None => ProjectId(reference.parse().ok()?),
        };
        self.projects.get(&id)
    }

    /// The project and everything below it, in the order of the tree.
    pub fn subtree(&self, root: ProjectId) -> Vec<ProjectId> {
        let mut found = vec![root];
        for id in &self.tree {
            let parent = self.projects.get(id).and_then(|project| project.parent);
            if parent.is_some_and(|parent| found.contains(&parent)) {
                found.push(*id);
            }
        }
        found
    }

    /// The role that applies by itself.
    pub fn builtin_role(&self, builtin: Builtin) -> Option<&Role> {
        self.roles.iter().find(|role| role.builtin == Some(builtin))
    }

    /// The role with this number.
    pub fn role(&self, id: RoleId) -> Option<&Role> {
        self.roles.iter().find(|role| role.id == id)
    }

    /// The tracker with this number.
    pub fn tracker(&self, id: TrackerId) -> Option<&Tracker> {
        self.trackers.iter().find(|tracker| tracker.id == id)
    }

    /// The status with this number.
    pub fn status(&self, id: StatusId) -> Option<&Status> {
        self.statuses.iter().find(|status| status.id == id)
    }

    /// The enumeration value with this number.
    pub fn enumeration(&self, id: EnumerationId) -> Option<&Enumeration> {
        self.enumerations.iter().find(|value| value.id == id)
    }

    /// The values of one enumeration, in their order.
    pub fn enumerations_of(&self, kind: EnumerationKind) -> impl Iterator<Item = &Enumeration> {
        self.enumerations.iter().filter(move |value| value.kind == kind)
    }

    /// The value that is taken when nothing is said.
    pub fn default_enumeration(&self, kind: EnumerationKind) -> Option<&Enumeration> {
        self.enumerations_of(kind).find(|value| value.is_default && value.active)
    }
}
