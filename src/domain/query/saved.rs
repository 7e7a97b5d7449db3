//! Queries that somebody has saved under a name (contract 4.3).

use crate::domain::ids::{ProjectId, QueryId, RoleId, UserId};
use crate::domain::viewer::Viewer;

/// Who may use a saved query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Whoever saved it.
    Owner,
    /// Those who have one of these roles, in its project or, where it has none, in any.
    Roles(Vec<RoleId>),
    /// All.
    Everybody,
}

/// A filter as it is kept: field, operator and values as in the long form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFilter {
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
    /// Its number.
    pub id: QueryId,
    /// The only project in which it can be used; `None` for a query that can be used everywhere.
    pub project: Option<ProjectId>,
    /// Who saved it; `None` for those that were always there.
    pub owner: Option<UserId>,
    /// Who may use it.
    pub audience: Audience,
    /// Its filters; `None` for those of a list that is asked for nothing.
    pub filters: Option<Vec<KeptFilter>>,
    /// By which columns it sorts, each with its direction.
    pub order: Vec<(String, String)>,
}

impl SavedQuery {
    /// Whether all may use it.
    pub fn is_public(&self) -> bool {
        self.audience == Audience::Everybody
    }

    /// Whether the viewer may use it for a list of this project, or of all projects when there is none.
    pub fn serves(&self, viewer: &Viewer, place: Option<ProjectId>) -> bool {
        let placed = self.project.is_none_or(|project| place == Some(project) && viewer.rights(project).is_some());
        let owned = self.owner.is_some() && self.owner == viewer.user;
        let has_role = |roles: &[RoleId]| {
            let mut rights = viewer.projects().filter(|(project, _)| self.project.is_none_or(|own| own == *project));
            rights.any(|(_, rights)| rights.roles.iter().any(|role| roles.contains(role)))
        };
        placed
            && match &self.audience {
                Audience::Owner => owned,
                Audience::Roles(roles) => owned || viewer.admin || has_role(roles),
                Audience::Everybody => true,
            }
    }
}
