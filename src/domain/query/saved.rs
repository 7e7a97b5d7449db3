//! Saved queries (compatibility 6.3), and who may use, save and change them (compatibility 13.7).

use crate::access::permission::Permission;
use crate::access::viewer::Viewer;
use crate::catalogue::Catalogue;
use crate::ids::{CustomFieldId, ProjectId, QueryId, RoleId, UserId};

/// The list to which a saved query applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueryKind {
    /// The list of issues.
    #[default]
    Issues,
    /// The list of time entries.
    TimeEntries,
    /// The list of projects.
    Projects,
    /// The search.
    Searches,
}

impl QueryKind {
    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Issues => "IssueQuery",
            Self::TimeEntries => "TimeEntryQuery",
            Self::Projects => "ProjectQuery",
            Self::Searches => "SearchQuery",
        }
    }

    /// Returns the permission to view what it lists. Without it in its project, a query is hidden
    /// (compatibility 13.7).
    pub fn view_permission(self) -> Permission {
        match self {
            Self::Issues => Permission::ViewIssues,
            Self::TimeEntries => Permission::ViewTimeEntries,
            Self::Projects => Permission::ViewProject,
            Self::Searches => Permission::SearchProject,
        }
    }

    /// Returns the scope that an access token needs to use it.
    fn scope(self) -> Permission {
        match self {
            Self::Searches => Permission::SearchProject,
            Self::Issues | Self::TimeEntries | Self::Projects => Permission::ViewIssues,
        }
    }
}

/// The users who may use a saved query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// The user who saved it.
    #[default]
    Owner,
    /// Users with one of these roles in its project, or in any project if it has none.
    Roles(Vec<RoleId>),
    /// Everybody.
    Everybody,
}

impl Audience {
    /// Returns its name as the visibility of a query.
    pub fn name(&self) -> &'static str {
        match self {
            Audience::Owner => "private",
            Audience::Roles(_) => "roles",
            Audience::Everybody => "public",
        }
    }

    /// Returns the roles, if it is limited to some.
    pub fn roles(&self) -> &[RoleId] {
        if let Audience::Roles(roles) = self {
            roles
        } else {
            &[]
        }
    }

    /// Whether the viewer may save a query for any users, in the project or for all with `None`.
    pub fn any_is_savable_by(viewer: &Viewer, project: Option<ProjectId>) -> bool {
        let audiences = [Audience::Owner, Audience::Everybody];
        let mut audiences = audiences.iter();
        audiences.any(|audience| audience.is_savable_by(viewer, project))
    }

    /// Whether the viewer may save a query for these users, in the project or for all projects with
    /// `None`: private ones with the permission to save queries, others with that to manage public
    /// queries, and for all projects only as an administrator.
    pub fn is_savable_by(&self, viewer: &Viewer, project: Option<ProjectId>) -> bool {
        match (self, project) {
            (Audience::Owner, Some(project)) => viewer.may(Permission::SaveQueries, project),
            (Audience::Owner, None) => viewer.may_somewhere(Permission::SaveQueries),
            (_, Some(project)) => viewer.may(Permission::ManagePublicQueries, project),
            (_, None) => viewer.admin,
        }
    }
}

/// A stored filter: field, operator and values as in the long form. A saved search has one for each
/// parameter of its address, with the operator `=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFilter {
    /// The name of the field.
    pub name: String,
    pub operator: String,
    pub values: Vec<String>,
}

impl SavedFilter {
    /// Whether the filter depends on a custom field that the viewer cannot see, whose values it
    /// would reveal.
    pub fn is_hidden_from(&self, viewer: &Viewer, catalogue: &Catalogue) -> bool {
        let ids = self
            .name
            .split('.')
            .filter_map(|part| part.strip_prefix("cf_")?.parse().ok().map(CustomFieldId));
        let mut fields =
            ids.filter_map(|id| catalogue.custom_fields.iter().find(|field| field.id == id));
        fields.any(|field| !field.is_visible_somewhere(viewer))
    }
}

/// A saved query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedQuery {
    pub id: QueryId,
    /// The list to which it applies.
    pub kind: QueryKind,
    pub name: String,
    /// Empty for none.
    pub description: String,
    /// The only project in which it can be used; `None` for a query that can be used everywhere.
    pub project: Option<ProjectId>,
    /// The user who saved it; `None` for queries without an owner.
    pub owner: Option<UserId>,
    /// The users who may use it.
    pub audience: Audience,
    /// `None` for the default filters of the list.
    pub filters: Option<Vec<SavedFilter>>,
    /// The columns to show, by name; empty for the default ones.
    pub columns: Vec<String>,
    /// The sort columns with their directions.
    pub order: Vec<(String, String)>,
    /// The column that groups the list; empty for none.
    pub group_by: String,
    /// The columns whose sums are to be shown, by name.
    pub totals: Vec<String>,
}

impl SavedQuery {
    /// Whether others than its owner may use it.
    pub fn is_public(&self) -> bool {
        self.audience != Audience::Owner
    }

    /// Whether a list of queries shows it to the viewer: not the private ones of others, which
    /// administrators may use nevertheless.
    pub fn is_listed_for(&self, viewer: &Viewer) -> bool {
        let is_others =
            self.audience == Audience::Owner && (self.owner.is_none() || self.owner != viewer.user);
        !is_others && self.is_usable_by(viewer, self.project)
    }

    /// Whether the viewer may use it for a list of this project, or of all projects with `None`. An
    /// access token needs the scope to view issues, or to search.
    pub fn is_usable_by(&self, viewer: &Viewer, in_project: Option<ProjectId>) -> bool {
        let is_for_project = self
            .project
            .is_none_or(|project| in_project == Some(project))
            && self.is_in_visible_project(viewer);
        let is_owner = self.owner.is_some() && self.owner == viewer.user;
        is_for_project
            && viewer.has_scope(self.kind.scope())
            && match &self.audience {
                Audience::Owner => is_owner || viewer.admin,
                Audience::Roles(roles) => {
                    is_owner || viewer.admin || self.gives_role(viewer, roles)
                }
                Audience::Everybody => true,
            }
    }

    /// Whether the viewer has one of the roles in the project of the query, or in any.
    fn gives_role(&self, viewer: &Viewer, roles: &[RoleId]) -> bool {
        let mut rights = viewer
            .projects()
            .filter(|(project, _)| self.project.is_none_or(|id| id == *project));
        rights.any(|(_, rights)| rights.roles.iter().any(|role| roles.contains(role)))
    }

    /// Whether it has no project, or one in which the viewer may view what it lists.
    fn is_in_visible_project(&self, viewer: &Viewer) -> bool {
        self.project
            .is_none_or(|project| viewer.may(self.kind.view_permission(), project))
    }

    /// Whether the viewer may read the query itself: who may use it, and who may change it.
    pub fn is_visible_to(&self, viewer: &Viewer) -> bool {
        self.is_usable_by(viewer, self.project) || self.is_editable_by(viewer)
    }

    /// Whether the viewer may change and delete it: a private one as its owner or as an
    /// administrator, others with the permission to manage public queries, and those for all
    /// projects only as an administrator.
    pub fn is_editable_by(&self, viewer: &Viewer) -> bool {
        let is_owner = self.owner.is_some() && self.owner == viewer.user;
        self.is_in_visible_project(viewer)
            && match self.audience {
                Audience::Owner => {
                    viewer.admin || is_owner && viewer.has_scope(Permission::SaveQueries)
                }
                _ => self.audience.is_savable_by(viewer, self.project),
            }
    }

    /// Whether it can be the query with which the issues of the project are shown: a public one of
    /// the project or for all projects.
    pub fn can_be_default_of(&self, project: ProjectId) -> bool {
        self.audience == Audience::Everybody && self.project.is_none_or(|own| own == project)
    }
}
