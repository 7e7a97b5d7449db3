//! Contract 3 in the plainest words, as slow as may be.

use quarry::domain::catalogue::Catalogue;
use quarry::domain::ids::{ProjectId, RoleId, UserId};
use quarry::domain::kind::Kind;
use quarry::domain::permission::{Permission, Reach};
use quarry::domain::project::ProjectStatus;
use quarry::domain::role::{Builtin, IssuesVisibility, Role};
use quarry::search::Source;

pub struct Oracle<'a> {
    pub catalogue: &'a Catalogue,
    pub user: Option<UserId>,
}

impl Oracle<'_> {
    pub fn may_see(&self, record: &Source) -> bool {
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
        let is_own = self.user.is_some() && (record.author == self.user || record.assignee.is_some_and(|assignee| self.is_me(assignee.0)));
        self.roles(record.project).into_iter().filter(|role| gives(role, Permission::ViewIssues)).any(|role| match role.issues_visibility {
            IssuesVisibility::All if role.builtin == Some(Builtin::Anonymous) => !record.private,
            IssuesVisibility::All => true,
            IssuesVisibility::Default => !record.private || is_own,
            IssuesVisibility::Own => is_own,
        })
    }

    pub fn may_read_private(&self, project: ProjectId, author: UserId) -> bool {
        self.user == Some(author) || self.may(Permission::ViewPrivateNotes, project)
    }

    fn may(&self, permission: Permission, project: ProjectId) -> bool {
        let found = &self.catalogue.projects[&project];
        let active = match found.status {
            ProjectStatus::Active => true,
            ProjectStatus::Closed => permission.only_reads(),
            ProjectStatus::Archived => false,
        };
        let module_on = permission.module().is_none_or(|module| found.modules.contains(module));
        active && module_on && (self.is_admin() || self.roles(project).into_iter().any(|role| gives(role, permission)))
    }

    /// The roles that apply in the project; none where it cannot be seen.
    fn roles(&self, project: ProjectId) -> Vec<&Role> {
        let given = self.given(project);
        let applying = |role: &&Role| match (given.is_empty(), self.user) {
            (false, _) => given.contains(&role.id),
            (true, Some(_)) => role.builtin == Some(Builtin::NonMember),
            (true, None) => role.builtin == Some(Builtin::Anonymous),
        };
        if given.is_empty() && !self.catalogue.projects[&project].is_public {
            return Vec::new();
        }
        self.catalogue.roles.iter().filter(applying).collect()
    }

    /// The roles by membership: directly, through groups, and those of the project above where members are inherited.
    fn given(&self, project: ProjectId) -> Vec<RoleId> {
        let here = self.catalogue.members.iter().filter(|member| member.project == project && self.is_me(member.principal.0));
        let mut roles: Vec<RoleId> = here.flat_map(|member| member.roles.clone()).collect();
        let found = &self.catalogue.projects[&project];
        if let (true, Some(parent)) = (found.inherit_members, found.parent) {
            roles.extend(self.given(parent));
        }
        roles
    }

    fn is_me(&self, principal: i64) -> bool {
        let Some(me) = self.user else { return false };
        let in_group = |group: &quarry::domain::user::Group| group.id.0 == principal && group.users.contains(&me);
        me.0 == principal || self.catalogue.groups.values().any(in_group)
    }

    fn is_admin(&self) -> bool {
        self.user.is_some_and(|user| self.catalogue.users[&user].admin)
    }
}

fn gives(role: &Role, permission: Permission) -> bool {
    let stored = role.permissions.contains(permission);
    match permission.reach() {
        Reach::Public => true,
        Reach::Anyone => stored,
        Reach::LoggedIn => stored && role.builtin != Some(Builtin::Anonymous),
        Reach::Member => stored && role.builtin.is_none(),
    }
}
