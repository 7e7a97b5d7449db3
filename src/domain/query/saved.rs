//! Saved queries (compatibility 6.3).

use crate::domain::ids::{ProjectId, QueryId, RoleId, UserId};
use crate::domain::viewer::Viewer;

/// The users who may use a saved query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The user who saved it.
    Owner,
    /// Users with one of these roles in its project, or in any project if it has none.
    Roles(Vec<RoleId>),
    /// Everybody.
    Everybody,
}

/// A stored filter: field, operator and values as in the long form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFilter {
    /// The name of the field.
    pub name: String,
    /// The operator.
    pub operator: String,
    /// The values.
    pub values: Vec<String>,
}

/// A saved query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedQuery {
    /// The id.
    pub id: QueryId,
    /// The only project in which it can be used; `None` for a query that can be used everywhere.
    pub project: Option<ProjectId>,
    /// The user who saved it; `None` for queries without an owner.
    pub owner: Option<UserId>,
    /// The users who may use it.
    pub audience: Audience,
    /// Its filters; `None` for the default filters of the list.
    pub filters: Option<Vec<SavedFilter>>,
    /// The sort columns with their directions.
    pub order: Vec<(String, String)>,
    /// The column that groups the list; empty for none.
    pub group_by: String,
}

impl SavedQuery {
    /// Whether others than its owner may use it.
    pub fn is_public(&self) -> bool {
        self.audience != Audience::Owner
    }

    /// Whether a list of queries shows it to the viewer: not the private ones of others, which administrators may use nevertheless.
    pub fn is_listed_for(&self, viewer: &Viewer) -> bool {
        let is_others = self.audience == Audience::Owner && (self.owner.is_none() || self.owner != viewer.user);
        !is_others && self.is_usable_by(viewer, self.project)
    }

    /// Whether the viewer may use it for a list of this project, or of all projects with `None`.
    pub fn is_usable_by(&self, viewer: &Viewer, in_project: Option<ProjectId>) -> bool {
        let is_for_project = self.project.is_none_or(|project| in_project == Some(project) && viewer.rights(project).is_some());
        let is_owner = self.owner.is_some() && self.owner == viewer.user;
        let has_role = |roles: &[RoleId]| {
            let mut rights = viewer.projects().filter(|(project, _)| self.project.is_none_or(|id| id == *project));
            rights.any(|(_, rights)| rights.roles.iter().any(|role| roles.contains(role)))
        };
        is_for_project
            && match &self.audience {
                Audience::Owner => is_owner || viewer.admin,
                Audience::Roles(roles) => is_owner || viewer.admin || has_role(roles),
                Audience::Everybody => true,
            }
    }
}
