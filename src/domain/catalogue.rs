//! An in-memory snapshot of all records that are not content: users, roles, projects, trackers,
//! settings, workflow.
//!
//! Invariant: a catalogue never changes. A write that concerns it builds a new one with a new
//! version. Requests read names and rights from it instead of joining tables.

use super::ids::{
    CategoryId, EnumerationId, PrincipalId, ProjectId, RoleId, StatusId, TrackerId, UserId,
    VersionId,
};
use crate::access::member::Member;
use crate::access::role::{Builtin, Role};
use crate::accounts::group::Group;
use crate::accounts::user::{BuiltinPrincipal, User, UserStatus};
use crate::accounts::user_format::UserFormat;
use crate::administration::custom_field::{CustomField, Customized};
use crate::administration::enumeration::{Enumeration, EnumerationKind};
use crate::administration::issue_status::IssueStatus;
use crate::administration::setting::Setting;
use crate::administration::tracker::Tracker;
use crate::administration::workdays::Workdays;
use crate::administration::workflow::{FieldRules, Workflow};
use crate::notices::preferences::NoticePreferences;
use crate::projects::category::Category;
use crate::projects::project::{Project, ProjectStatus};
use crate::projects::update_rules::{self, UpdateRule};
use crate::projects::version::{Sharing, Version};
use crate::values::id_set::IdSet;
use crate::values::text::parse_digits;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// A snapshot of all records that are not content.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// The version. Two snapshots with the same version have the same content.
    pub version: i64,
    pub users: HashMap<UserId, User>,
    /// User ids by lower-case login.
    pub logins: HashMap<String, UserId>,
    pub groups: HashMap<PrincipalId, Group>,
    /// Builtin principals by id. The groups exist only in imported data; the anonymous user also
    /// after a user was deleted.
    pub builtin: HashMap<PrincipalId, BuiltinPrincipal>,
    /// Roles in the order of their positions.
    pub roles: Vec<Role>,
    /// Memberships.
    pub members: Vec<Member>,
    pub projects: HashMap<ProjectId, Project>,
    /// Projects in tree order: parents before their descendants, siblings by name, ignoring case.
    pub tree: Vec<ProjectId>,
    /// Project ids by identifier, also by former ones.
    pub identifiers: HashMap<String, ProjectId>,
    /// Trackers in the order of their positions.
    pub trackers: Vec<Tracker>,
    /// Statuses in the order of their positions.
    pub statuses: Vec<IssueStatus>,
    /// Enumerations in the order of their positions.
    pub enumerations: Vec<Enumeration>,
    /// Issue categories by id.
    pub categories: HashMap<CategoryId, Category>,
    pub versions: HashMap<VersionId, Version>,
    /// Custom fields in the order of their positions.
    pub custom_fields: Vec<CustomField>,
    /// The permitted status transitions.
    pub workflow: Workflow,
    /// The required and the read-only fields.
    pub field_rules: FieldRules,
    /// The projects that users have bookmarked.
    pub bookmarks: HashMap<UserId, Vec<ProjectId>>,
    /// What users want to be told of.
    pub notice_preferences: NoticePreferences,
    /// The settings that differ from their default.
    pub settings: HashMap<Setting, String>,
    /// Whether the first import has begun and is not complete. Nobody may write until then: the ids
    /// belong to records that are not imported yet.
    pub is_importing: bool,
    /// The ids of all projects, computed on first use.
    pub all_project_ids: OnceLock<IdSet>,
    /// The ids of active users by full name in lower case, computed on first use; `None` for a name
    /// that several have.
    pub full_names: OnceLock<HashMap<String, Option<UserId>>>,
}

impl Catalogue {
    /// Whether these are all projects.
    pub fn is_all_projects(&self, projects: &IdSet) -> bool {
        self.all_project_ids
            .get_or_init(|| self.projects.keys().copied().collect())
            == projects
    }

    /// Whether the user has bookmarked the project.
    pub fn is_bookmarked(&self, user: Option<UserId>, project: ProjectId) -> bool {
        user.and_then(|user| self.bookmarks.get(&user))
            .is_some_and(|projects| projects.contains(&project))
    }

    /// Returns the value of a setting, or its default.
    pub fn setting(&self, setting: Setting) -> &str {
        self.settings
            .get(&setting)
            .map_or(setting.default_value(), String::as_str)
    }

    /// Whether a boolean setting is on.
    pub fn is_on(&self, setting: Setting) -> bool {
        self.setting(setting) == "1"
    }

    /// Returns the items of a list setting.
    pub fn list_setting(&self, setting: Setting) -> impl Iterator<Item = &str> {
        self.setting(setting)
            .split(',')
            .filter(|word| !word.is_empty())
    }

    /// Returns what keywords in commit messages change in issues.
    pub fn update_rules(&self) -> Vec<UpdateRule> {
        // A stored value was validated.
        update_rules::parse(self.setting(Setting::CommitUpdateKeywords)).unwrap_or_default()
    }

    /// Returns the format of the names of users.
    pub fn user_format(&self) -> UserFormat {
        let name = self.setting(Setting::UserFormat);
        name.parse().unwrap_or_default()
    }

    /// Returns the working days of the week.
    pub fn workdays(&self) -> Workdays {
        Workdays::without(self.list_setting(Setting::NonWorkingWeekDays))
    }

    /// Returns the value of an integer setting.
    pub fn integer_setting(&self, setting: Setting) -> i64 {
        self.setting(setting).parse().unwrap_or(0)
    }

    /// Returns the maximum number of characters of a text such as a description; `usize::MAX`
    /// without a limit.
    pub fn max_text_length(&self) -> usize {
        usize::try_from(self.integer_setting(Setting::TextMaxLength))
            .ok()
            .filter(|max| *max > 0)
            .unwrap_or(usize::MAX)
    }

    /// Returns the minimum number of characters of a new password.
    pub fn min_password_length(&self) -> usize {
        usize::try_from(self.integer_setting(Setting::PasswordMinLength))
            .unwrap_or(0)
            .max(crate::accounts::password::MIN_LENGTH)
    }

    /// Returns the user with this login, ignoring case.
    pub fn user_by_login(&self, login: &str) -> Option<&User> {
        self.logins
            .get(&login.to_lowercase())
            .and_then(|id| self.users.get(id))
    }

    /// Returns the only active user with this full name, ignoring case.
    pub fn user_by_full_name(&self, name: &str) -> Option<&User> {
        let full_names = self.full_names.get_or_init(|| {
            let active = self.users.values();
            let mut ids = HashMap::new();
            for user in active.filter(|user| user.status == UserStatus::Active) {
                ids.entry(user.name.to_lowercase())
                    .and_modify(|id| *id = None)
                    .or_insert(Some(user.id));
            }
            ids
        });
        let id = full_names.get(&name.to_lowercase()).copied().flatten()?;
        self.users.get(&id)
    }

    /// Returns the name of a user, a group or a builtin principal.
    pub fn principal_name(&self, id: PrincipalId) -> Option<&str> {
        match self.users.get(&UserId(id.0)) {
            Some(user) => Some(&user.name),
            None => match self.groups.get(&id) {
                Some(group) => Some(&group.name),
                None => self.builtin.get(&id).map(|builtin| builtin.name()),
            },
        }
    }

    /// Returns the name of a project; empty if there is none.
    pub fn project_name(&self, id: ProjectId) -> &str {
        self.projects.get(&id).map_or("", |project| &project.name)
    }

    /// Returns the id of a builtin principal.
    pub fn builtin_principal(&self, principal: BuiltinPrincipal) -> Option<PrincipalId> {
        // An import into an installation with an anonymous user brings a second one.
        self.builtin
            .iter()
            .filter(|(_, builtin)| **builtin == principal)
            .map(|(id, _)| *id)
            .min()
    }

    /// Returns the project with this id, identifier or former identifier (compatibility 3.1).
    pub fn project_by(&self, reference: &str) -> Option<&Project> {
        let id = match self.identifiers.get(reference) {
            Some(id) => *id,
            None => ProjectId(parse_digits(reference)?),
        };
        self.projects.get(&id)
    }

    /// Returns the project and its descendants in tree order.
    pub fn subtree(&self, root: ProjectId) -> Vec<ProjectId> {
        let mut subtree = vec![root];
        let mut seen = HashSet::from([root]);
        for id in &self.tree {
            let parent = self.projects.get(id).and_then(|project| project.parent);
            if parent.is_some_and(|parent| seen.contains(&parent)) && seen.insert(*id) {
                subtree.push(*id);
            }
        }
        subtree
    }

    /// Returns the project and its descendants that have this status.
    pub fn subtree_in(&self, root: ProjectId, status: ProjectStatus) -> Vec<ProjectId> {
        let mut subtree = self.subtree(root);
        subtree.retain(|id| {
            self.projects
                .get(id)
                .is_some_and(|project| project.status == status)
        });
        subtree
    }

    /// Returns the ancestors of a project, nearest first. Terminates even if corrupt data contains
    /// a cycle.
    pub fn ancestors(&self, project: ProjectId) -> Vec<ProjectId> {
        let mut ancestors: Vec<ProjectId> = Vec::new();
        let mut parent = self
            .projects
            .get(&project)
            .and_then(|project| project.parent);
        while let Some(id) = parent.filter(|id| *id != project && !ancestors.contains(id)) {
            ancestors.push(id);
            parent = self.projects.get(&id).and_then(|project| project.parent);
        }
        ancestors
    }

    /// Returns the root of the tree that contains the project.
    pub fn root(&self, project: ProjectId) -> ProjectId {
        self.ancestors(project).last().copied().unwrap_or(project)
    }

    /// Whether the version can be used in the project: it belongs to the project or is shared with
    /// it. Versions of archived projects are not shared.
    pub fn is_shared_with(&self, version: &Version, project: ProjectId) -> bool {
        version.project == project
            || !self
                .projects
                .get(&version.project)
                .is_none_or(|project| project.status == ProjectStatus::Archived)
                && match version.sharing {
                    Sharing::None => false,
                    Sharing::Descendants => self.is_below(project, version.project),
                    Sharing::Hierarchy => {
                        self.is_below(project, version.project)
                            || self.is_below(version.project, project)
                    }
                    Sharing::Tree => self.root(project) == self.root(version.project),
                    Sharing::System => true,
                }
    }

    fn is_below(&self, project: ProjectId, ancestor: ProjectId) -> bool {
        self.ancestors(project).contains(&ancestor)
    }

    /// Returns the custom fields of one type of record, by position.
    pub fn custom_fields_of(&self, customized: Customized) -> impl Iterator<Item = &CustomField> {
        self.custom_fields
            .iter()
            .filter(move |field| field.customized == customized)
    }

    /// Returns a builtin role.
    pub fn builtin_role(&self, builtin: Builtin) -> Option<&Role> {
        self.roles.iter().find(|role| role.builtin == Some(builtin))
    }

    /// Returns the role with this id.
    pub fn role(&self, id: RoleId) -> Option<&Role> {
        self.roles.iter().find(|role| role.id == id)
    }

    /// Returns the tracker with this id.
    pub fn tracker(&self, id: TrackerId) -> Option<&Tracker> {
        self.trackers.iter().find(|tracker| tracker.id == id)
    }

    /// Returns the status with this id.
    pub fn status(&self, id: StatusId) -> Option<&IssueStatus> {
        self.statuses.iter().find(|status| status.id == id)
    }

    /// Whether issues with this status are closed.
    pub fn is_closed(&self, status: StatusId) -> bool {
        self.status(status).is_some_and(|status| status.is_closed)
    }

    /// Whether there is such a user, and is active.
    pub fn is_active(&self, user: UserId) -> bool {
        self.users
            .get(&user)
            .is_some_and(|user| user.status == UserStatus::Active)
    }

    /// Returns the enumeration value with this id.
    pub fn enumeration(&self, id: EnumerationId) -> Option<&Enumeration> {
        self.enumerations.iter().find(|value| value.id == id)
    }

    /// Returns the shared values of an enumeration, by position.
    pub fn enumerations_of(&self, kind: EnumerationKind) -> impl Iterator<Item = &Enumeration> {
        self.enumerations
            .iter()
            .filter(move |value| value.kind == kind && value.project.is_none())
    }

    /// Returns the activities that can be selected in a project, by position: its own active ones,
    /// and the shared ones that it does not replace. An inactive replacement hides the shared
    /// activity too.
    pub fn activities_of(&self, project: ProjectId) -> impl Iterator<Item = &Enumeration> {
        let replaced: Vec<_> = self
            .all_activities()
            .filter(|value| value.project == Some(project))
            .filter_map(|value| value.parent)
            .collect();
        self.all_activities()
            .filter(|value| value.active)
            .filter(move |value| match value.project {
                Some(id) => id == project,
                None => !replaced.contains(&value.id),
            })
    }

    /// Returns the activities of all projects.
    fn all_activities(&self) -> impl Iterator<Item = &Enumeration> {
        self.enumerations
            .iter()
            .filter(|value| value.kind == EnumerationKind::TimeEntryActivity)
    }

    /// Returns the default activity of a project. The replacement of the default activity is the
    /// default.
    pub fn default_activity(&self, project: ProjectId) -> Option<&Enumeration> {
        let is_default =
            |id: EnumerationId| self.enumeration(id).is_some_and(|value| value.is_default);
        self.activities_of(project)
            .find(|value| is_default(value.parent.unwrap_or(value.id)))
    }

    /// Returns the activity and its replacements in all projects.
    pub fn replacements(&self, activity: EnumerationId) -> impl Iterator<Item = EnumerationId> {
        let replacements = self
            .enumerations
            .iter()
            .filter(move |value| value.parent == Some(activity));
        std::iter::once(activity).chain(replacements.map(|value| value.id))
    }

    /// Returns the default value of an enumeration.
    pub fn default_enumeration(&self, kind: EnumerationKind) -> Option<&Enumeration> {
        self.enumerations_of(kind)
            .find(|value| value.is_default && value.active)
    }
}
