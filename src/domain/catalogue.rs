//! Everything that is not content, held in memory: who there is, which projects, and by which rules they work.
//!
//! A catalogue is a snapshot; a change makes a new one with a new version. Requests read names and rights from it
//! instead of joining tables.

use super::custom_field::{CustomField, Customized};
use super::id_set::IdSet;
use super::ids::{CategoryId, EnumerationId, PrincipalId, ProjectId, RoleId, StatusId, TrackerId, UserId, VersionId};
use super::project::{Project, ProjectStatus};
use super::role::{Builtin, Role};
use super::setting::Setting;
use super::text::digits;
use super::user::{BuiltinPrincipal, Group, User};
use super::version::{Category, Version};
use super::workdays::Workdays;
use super::workflow::{FieldRules, Workflow};
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

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
    /// What it is for; `None` when never said.
    pub description: Option<String>,
    /// Where it stands in lists.
    pub position: i64,
    /// The status with which an issue of it begins.
    pub default_status: StatusId,
    /// The core fields that its issues do not have, a bit for each in the order of [`CORE_FIELDS`].
    pub disabled: i64,
}

/// The fields that a tracker can switch off (contract 9), in the order of their bits.
pub const CORE_FIELDS: [&str; 10] = [
    "assigned_to_id",
    "category_id",
    "fixed_version_id",
    "parent_issue_id",
    "start_date",
    "due_date",
    "estimated_hours",
    "done_ratio",
    "description",
    "priority_id",
];

impl Tracker {
    /// Whether its issues have the core field of this name; other fields they have in any case.
    pub fn has(&self, field: &str) -> bool {
        CORE_FIELDS.iter().position(|core| *core == field).is_none_or(|bit| self.disabled & (1 << bit) == 0)
    }
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
    /// How much of an issue is done in it, in per cent, where the done ratio follows from the status.
    pub default_done_ratio: Option<i64>,
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
    /// The only project that has it; `None` for those that all projects share. Of activities only.
    pub project: Option<ProjectId>,
    /// The shared value for which it stands in its project.
    pub parent: Option<EnumerationId>,
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
    /// Those whom nobody made, by number; where nothing has moved in there are none.
    pub builtin: HashMap<PrincipalId, BuiltinPrincipal>,
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
    /// Issue categories by number.
    pub categories: HashMap<CategoryId, Category>,
    /// Versions by number.
    pub versions: HashMap<VersionId, Version>,
    /// Custom fields in the order of their positions.
    pub custom_fields: Vec<CustomField>,
    /// Which status may follow which.
    pub workflow: Workflow,
    /// Which fields must have a value, and which cannot be changed.
    pub field_rules: FieldRules,
    /// The projects that users have marked.
    pub bookmarks: HashMap<UserId, Vec<ProjectId>>,
    /// Settings that were set.
    pub settings: HashMap<Setting, String>,
    /// The numbers of all projects, made when first asked for.
    pub every_project: OnceLock<IdSet>,
}

impl Catalogue {
    /// Whether these are all projects that there are.
    pub fn is_every_project(&self, projects: &IdSet) -> bool {
        self.every_project.get_or_init(|| self.projects.keys().copied().collect()) == projects
    }

    /// The value of a setting, or its default.
    pub fn setting(&self, setting: Setting) -> &str {
        self.settings.get(&setting).map_or(setting.default_value(), String::as_str)
    }

    /// Whether a setting that is a switch is on.
    pub fn is_on(&self, setting: Setting) -> bool {
        self.setting(setting) == "1"
    }

    /// The words of a setting that is a list of them.
    pub fn words(&self, setting: Setting) -> impl Iterator<Item = &str> {
        self.setting(setting).split(',').filter(|word| !word.is_empty())
    }

    /// On which days people work.
    pub fn workdays(&self) -> Workdays {
        Workdays::without(self.words(Setting::NonWorkingWeekDays))
    }

    /// The number that a setting is.
    pub fn number(&self, setting: Setting) -> i64 {
        self.setting(setting).parse().unwrap_or(0)
    }

    /// Maximum number of characters of a text such as a description; `usize::MAX` without a limit.
    pub fn max_text_length(&self) -> usize {
        usize::try_from(self.number(Setting::TextMaxLength)).ok().filter(|max| *max > 0).unwrap_or(usize::MAX)
    }

    /// The user with this login, without regard to case.
    pub fn user_by_login(&self, login: &str) -> Option<&User> {
        self.logins.get(&login.to_lowercase()).and_then(|id| self.users.get(id))
    }

    /// The name of a user or group, also of those whom nobody made.
    pub fn principal_name(&self, id: PrincipalId) -> Option<&str> {
        match self.users.get(&UserId(id.0)) {
            Some(user) => Some(&user.name),
            None => match self.groups.get(&id) {
                Some(group) => Some(&group.name),
                None => self.builtin.get(&id).map(|found| found.name()),
            },
        }
    }

    /// The number of one of those whom nobody made.
    pub fn builtin_principal(&self, wanted: BuiltinPrincipal) -> Option<PrincipalId> {
        self.builtin.iter().find(|(_, found)| **found == wanted).map(|(id, _)| *id)
    }

    /// The project with this number or identifier (spec, conventions rule 7).
    pub fn project_by(&self, reference: &str) -> Option<&Project> {
        let id = match self.identifiers.get(reference) {
            Some(id) => *id,
            None => ProjectId(digits(reference)?),
        };
        self.projects.get(&id)
    }

    /// The project and everything below it, in the order of the tree.
    pub fn subtree(&self, root: ProjectId) -> Vec<ProjectId> {
        let mut found = vec![root];
        let mut known = HashSet::from([root]);
        for id in &self.tree {
            let parent = self.projects.get(id).and_then(|project| project.parent);
            if parent.is_some_and(|parent| known.contains(&parent)) && known.insert(*id) {
                found.push(*id);
            }
        }
        found
    }

    /// Those of the project and everything below it that are in this state.
    pub fn subtree_in(&self, root: ProjectId, status: ProjectStatus) -> Vec<ProjectId> {
        let mut found = self.subtree(root);
        found.retain(|id| self.projects.get(id).is_some_and(|project| project.status == status));
        found
    }

    /// The projects above this one, the nearest first. A circle, which no rule permits, ends where it began.
    pub fn ancestors(&self, project: ProjectId) -> Vec<ProjectId> {
        let mut found: Vec<ProjectId> = Vec::new();
        let mut next = self.projects.get(&project).and_then(|project| project.parent);
        while let Some(id) = next.filter(|id| *id != project && !found.contains(id)) {
            found.push(id);
            next = self.projects.get(&id).and_then(|project| project.parent);
        }
        found
    }

    /// The project at the top of the tree in which this one is.
    pub fn root(&self, project: ProjectId) -> ProjectId {
        self.ancestors(project).last().copied().unwrap_or(project)
    }

    /// The custom fields of records of one kind, in their order.
    pub fn custom_fields_of(&self, of: Customized) -> impl Iterator<Item = &CustomField> {
        self.custom_fields.iter().filter(move |field| field.of == of)
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

    /// The values of one enumeration that all projects share, in their order.
    pub fn enumerations_of(&self, kind: EnumerationKind) -> impl Iterator<Item = &Enumeration> {
        self.enumerations.iter().filter(move |value| value.kind == kind && value.project.is_none())
    }

    /// The activities that can be chosen in a project, in their order: the shared ones, less those for which the project has one
    /// of its own, be it active or not, and its own active ones.
    pub fn activities_of(&self, project: ProjectId) -> impl Iterator<Item = &Enumeration> {
        let activities = || self.enumerations.iter().filter(|value| value.kind == EnumerationKind::TimeEntryActivity);
        let replaced: Vec<_> = activities().filter(|value| value.project == Some(project)).filter_map(|value| value.parent).collect();
        let offered = move |value: &&Enumeration| match value.project {
            Some(own) => own == project,
            None => !replaced.contains(&value.id),
        };
        activities().filter(|value| value.active).filter(offered)
    }

    /// The activity that is taken in a project when nothing is said. One that stands for the default is the default.
    pub fn default_activity(&self, project: ProjectId) -> Option<&Enumeration> {
        let is_default = |id: EnumerationId| self.enumeration(id).is_some_and(|value| value.is_default);
        self.activities_of(project).find(|value| is_default(value.parent.unwrap_or(value.id)))
    }

    /// The activity and those that stand for it in some project.
    pub fn replacements(&self, activity: EnumerationId) -> impl Iterator<Item = EnumerationId> {
        let standing = self.enumerations.iter().filter(move |value| value.parent == Some(activity));
        std::iter::once(activity).chain(standing.map(|value| value.id))
    }

    /// The value that is taken when nothing is said.
    pub fn default_enumeration(&self, kind: EnumerationKind) -> Option<&Enumeration> {
        self.enumerations_of(kind).find(|value| value.is_default && value.active)
    }
}
