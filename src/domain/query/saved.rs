//! Queries that somebody has saved under a name (compatibility 6.3).

use crate::domain::ids::{ProjectId, QueryId, RoleId, UserId};
use crate::domain::viewer::Viewer;

/// Who may use a saved query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The user who saved it.
    Owner,
    /// Those who have one of these roles, in its project or, where it has none, in any.
    Roles(Vec<RoleId>),
    /// All.
    Everybody,
}

/// A filter as it is kept: field, operator and values as in the long form.
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
    /// Who saved it; `None` for those that were always there.
    pub owner: Option<UserId>,
    /// Who may use it.
    pub audience: Audience,
    /// Its filters; `None` for those of a list that is asked for nothing.
    pub filters: Option<Vec<SavedFilter>>,
    /// By which columns it sorts, each with its direction.
    pub order: Vec<(String, String)>,
}

impl SavedQuery {
    /// Whether all may use it.
    pub fn is_public(&self) -> bool {
        self.audience == Audience::Everybody
    }

    /// Whether the viewer may use it for a list of this project, or of all projects when there is none.
    pub fn is_usable_by(&self, viewer: &Viewer, in_project: Option<ProjectId>) -> bool {
        let is_for_project = self.project.is_none_or(|project| in_project == Some(project) && viewer.rights(project).is_some());
        let is_owner = self.owner.is_some() && self.owner == viewer.user;
        let has_role = |roles: &[RoleId]| {
            let mut rights = viewer.projects().filter(|(project, _)| self.project.is_none_or(|own| own == *project));
            rights.any(|(_, rights)| rights.roles.iter().any(|role| roles.contains(role)))
        };
        is_for_project
            && match &self.audience {
                Audience::Owner => is_owner,
                Audience::Roles(roles) => is_owner || viewer.admin || has_role(roles),
                Audience::Everybody => true,
            }
    }
}
