//! Contract 3 written as directly as possible, without regard to speed.

use quarry::domain::access::permission::{Permission, Requirement};
use quarry::domain::access::role::{
    Builtin, IssuesVisibility, Role, TimeEntriesVisibility, UsersVisibility,
};
use quarry::domain::accounts::oauth::Scopes;
use quarry::domain::accounts::user::BuiltinPrincipal;
use quarry::domain::catalogue::Catalogue;
use quarry::domain::content::attachment::ContainerType;
use quarry::domain::ids::{CustomFieldId, PrincipalId, ProjectId, RoleId, UserId};
use quarry::domain::index_feed::indexed_record::IndexedRecord;
use quarry::domain::index_feed::kind::Kind;
use quarry::domain::projects::project::ProjectStatus;

pub struct Oracle<'a> {
    pub catalogue: &'a Catalogue,
    pub user: Option<UserId>,
    /// The scopes of the access token of the request; `None` without one.
    pub scopes: Option<Scopes>,
}

impl Oracle<'_> {
    pub fn may_see(&self, record: &IndexedRecord) -> bool {
        let permission = match record.kind {
            Kind::Issue => Permission::ViewIssues,
            Kind::News => Permission::ViewNews,
            Kind::Document => Permission::ViewDocuments,
            Kind::Changeset => Permission::ViewChangesets,
            Kind::WikiPage => Permission::ViewWikiPages,
            Kind::Message => Permission::ViewMessages,
            Kind::Project => Permission::ViewProject,
        };
        if !self.may(permission, record.project) {
            return false;
        }
        if record.kind != Kind::Issue || self.is_admin() {
            return true;
        }
        let is_own = self.user.is_some()
            && (record.author == self.user
                || record
                    .assignee
                    .is_some_and(|assignee| self.is_me(assignee.0)));
        self.roles(record.project)
            .into_iter()
            .filter(|role| self.gets(role, Permission::ViewIssues))
            .any(|role| {
                let limited = role.tracker_limits.get(&Permission::ViewIssues);
                let of_tracker =
                    limited.is_none_or(|trackers| trackers.contains(record.tracker.unwrap()));
                of_tracker
                    && match role.issues_visibility {
                        IssuesVisibility::All if self.user.is_none() => !record.private,
                        IssuesVisibility::All => true,
                        IssuesVisibility::Default => !record.private || is_own,
                        IssuesVisibility::Own => is_own,
                    }
            })
    }

    /// Returns whether the files of a visible record of the project are visible.
    pub fn may_see_files(&self, container_type: ContainerType, project: ProjectId) -> bool {
        let permission = match container_type {
            ContainerType::Record(Kind::Issue) => Permission::ViewIssues,
            ContainerType::Record(Kind::News) => Permission::ViewNews,
            ContainerType::Record(Kind::Document) => Permission::ViewDocuments,
            ContainerType::Record(Kind::Changeset) => Permission::ViewChangesets,
            ContainerType::Record(Kind::WikiPage) => Permission::ViewWikiPages,
            ContainerType::Record(Kind::Message) => Permission::ViewMessages,
            ContainerType::Record(Kind::Project) | ContainerType::Version => Permission::ViewFiles,
            ContainerType::Other => unreachable!("no world has such files"),
        };
        self.may(permission, project)
    }

    /// Returns whether time entries of this user in the project are visible.
    pub fn may_see_time(&self, project: ProjectId, spender: UserId) -> bool {
        let others = self.is_admin()
            || self.roles(project).into_iter().any(|role| {
                gives(role, Permission::ViewTimeEntries)
                    && role.time_entries_visibility == TimeEntriesVisibility::All
            });
        self.may(Permission::ViewTimeEntries, project) && (others || self.user == Some(spender))
    }

    pub fn may_read_private(&self, project: ProjectId, author: UserId) -> bool {
        self.user == Some(author) || self.may(Permission::ViewPrivateNotes, project)
    }

    /// Returns whether the user or group is visible: by a role that shows all, or as a member of a
    /// visible project.
    pub fn may_see_principal(&self, principal: PrincipalId) -> bool {
        if self.is_admin() || self.is_me(principal.0) {
            return true;
        }
        let projects = || self.catalogue.projects.values();
        let mut own: Vec<RoleId> = projects()
            .filter(|project| project.status != ProjectStatus::Archived)
            .flat_map(|project| self.member_roles(project.id))
            .collect();
        if own.is_empty() {
            let builtin = match self.user {
                Some(_) => Builtin::NonMember,
                None => Builtin::Anonymous,
            };
            let roles = self.catalogue.roles.iter();
            let roles = roles.filter(|role| role.builtin == Some(builtin));
            own.extend(roles.map(|role| role.id));
        }
        let mut roles = self.catalogue.roles.iter();
        let shows_all = roles
            .any(|role| own.contains(&role.id) && role.users_visibility == UsersVisibility::All);
        let is_member = |member: PrincipalId| {
            member == principal
                || self
                    .catalogue
                    .groups
                    .get(&member)
                    .is_some_and(|group| group.users.iter().any(|user| user.0 == principal.0))
        };
        shows_all
            || projects().any(|project| {
                self.may(Permission::ViewProject, project.id)
                    && !self.given(project.id, &is_member).is_empty()
            })
    }

    /// Returns whether the custom field of an issue of the project is searched.
    pub fn may_find_by(&self, project: ProjectId, field: CustomFieldId) -> bool {
        let known = self
            .catalogue
            .custom_fields
            .iter()
            .find(|known| known.id == field)
            .unwrap();
        known.searchable && self.has_field(project, field) && self.may_read_field(project, field)
    }

    /// Returns whether issues of the project have the custom field.
    pub fn has_field(&self, project: ProjectId, field: CustomFieldId) -> bool {
        let field = self
            .catalogue
            .custom_fields
            .iter()
            .find(|known| known.id == field)
            .unwrap();
        field.is_for_all || field.projects.contains(&project)
    }

    /// Returns whether values of the custom field may be read in issues of the project that have
    /// it.
    pub fn may_read_field(&self, project: ProjectId, field: CustomFieldId) -> bool {
        let field = self
            .catalogue
            .custom_fields
            .iter()
            .find(|known| known.id == field)
            .unwrap();
        field.visible
            || self.is_admin()
            || self
                .roles(project)
                .iter()
                .any(|role| field.roles.contains(&role.id))
    }

    pub fn may(&self, permission: Permission, project: ProjectId) -> bool {
        let found = &self.catalogue.projects[&project];
        let active = match found.status {
            ProjectStatus::Active => true,
            ProjectStatus::Closed => permission.is_read_only(),
            ProjectStatus::Archived => false,
        };
        let module_on = permission
            .module()
            .is_none_or(|module| found.modules.contains(module));
        let in_scope = self
            .scopes
            .is_none_or(|scopes| scopes.permissions.contains(permission));
        let by_role = in_scope
            && self
                .roles(project)
                .into_iter()
                .any(|role| self.gets(role, permission));
        active && module_on && (self.is_admin() || by_role)
    }

    /// Returns the roles of the user as a member of the project.
    pub fn member_roles(&self, project: ProjectId) -> Vec<RoleId> {
        self.given(project, &|principal| self.is_me(principal.0))
    }

    /// Returns whether a role of the user in the project gives the permission, whatever the state
    /// of the project.
    pub fn gives_by_role(&self, permission: Permission, project: ProjectId) -> bool {
        self.roles(project)
            .into_iter()
            .any(|role| gives(role, permission))
    }

    /// Returns the roles that apply in the project; none if it is hidden.
    fn roles(&self, project: ProjectId) -> Vec<&Role> {
        let mut given = self.given(project, &|principal| self.is_me(principal.0));
        if given.is_empty() && self.catalogue.projects[&project].is_public {
            given = self.given(project, &|principal| self.is_everybody(principal));
            if given.is_empty() {
                let builtin = if self.user.is_some() {
                    Builtin::NonMember
                } else {
                    Builtin::Anonymous
                };
                return self
                    .catalogue
                    .roles
                    .iter()
                    .filter(|role| role.builtin == Some(builtin))
                    .collect();
            }
        }
        self.catalogue
            .roles
            .iter()
            .filter(|role| given.contains(&role.id))
            .collect()
    }

    /// Returns the roles by membership: direct, through groups, and inherited from the parent
    /// project.
    fn given(&self, project: ProjectId, counts: &dyn Fn(PrincipalId) -> bool) -> Vec<RoleId> {
        let here = self
            .catalogue
            .members
            .iter()
            .filter(|member| member.project == project && counts(member.principal));
        let mut roles: Vec<RoleId> = here.flat_map(|member| member.role_ids()).collect();
        let found = &self.catalogue.projects[&project];
        if let (true, Some(parent)) = (found.inherit_members, found.parent) {
            roles.extend(self.given(parent, counts));
        }
        roles
    }

    /// Returns whether it is a builtin group, Anonymous or Non member users.
    fn is_everybody(&self, principal: PrincipalId) -> bool {
        match self.catalogue.builtin.get(&principal) {
            Some(BuiltinPrincipal::NonMemberGroup) => self.user.is_some(),
            Some(BuiltinPrincipal::AnonymousGroup) => self.user.is_none(),
            Some(BuiltinPrincipal::Anonymous) | None => false,
        }
    }

    /// Returns whether the role grants the permission to this viewer: anonymous users get none that
    /// require login.
    fn gets(&self, role: &Role, permission: Permission) -> bool {
        gives(role, permission)
            && (self.user.is_some()
                || matches!(
                    permission.requirement(),
                    Requirement::Public | Requirement::None
                ))
    }

    fn is_me(&self, principal: i64) -> bool {
        let Some(me) = self.user else { return false };
        me.0 == principal
            || self
                .catalogue
                .groups
                .values()
                .any(|group| group.id.0 == principal && group.users.contains(&me))
    }

    pub fn is_admin(&self) -> bool {
        self.user
            .is_some_and(|user| self.catalogue.users[&user].admin)
            && self.scopes.is_none_or(|scopes| scopes.admin)
    }
}

fn gives(role: &Role, permission: Permission) -> bool {
    let stored = role.permissions.contains(permission);
    match permission.requirement() {
        Requirement::Public => true,
        Requirement::None => stored,
        Requirement::LoggedIn => stored && role.builtin != Some(Builtin::Anonymous),
        Requirement::Member => stored && role.builtin.is_none(),
    }
}
