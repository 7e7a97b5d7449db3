//! A condition on records, such as "in these projects and not private".
//!
//! `matches` evaluates it for one record in memory; `store::lists::visibility` translates it to SQL
//! and `search::access` to an index filter. A property test compares the three.

use crate::ids::{PrincipalId, ProjectId, TrackerId, UserId};
use crate::index_feed::kind::Kind;
use crate::values::id_set::IdSet;
use std::sync::{Arc, OnceLock};

/// A condition on a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Visible {
    /// Every record matches.
    Everything,
    /// No record matches.
    Nothing,
    /// At least one of the conditions matches.
    Any(Vec<Visible>),
    /// All of the conditions match.
    All(Vec<Visible>),
    /// The record belongs to one of these projects.
    InProjects(Arc<IdSet>),
    /// The record is not marked private.
    NotPrivate,
    /// This user wrote it.
    WrittenBy(UserId),
    /// It is assigned to one of these.
    AssignedTo(Vec<PrincipalId>),
    /// It is an issue of one of these trackers.
    InTrackers(Arc<IdSet>),
}

/// The attributes of a record that conditions refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessAttributes {
    pub project: ProjectId,
    /// Whether it is private; `false` for types without private records.
    pub private: bool,
    pub author: Option<UserId>,
    pub assignee: Option<PrincipalId>,
    /// The tracker; `None` unless it is an issue.
    pub tracker: Option<TrackerId>,
}

impl Visible {
    /// Whether a record with these attributes matches.
    pub fn matches(&self, attributes: &AccessAttributes) -> bool {
        match self {
            Visible::Everything => true,
            Visible::Nothing => false,
            Visible::Any(parts) => parts.iter().any(|part| part.matches(attributes)),
            Visible::All(parts) => parts.iter().all(|part| part.matches(attributes)),
            Visible::InProjects(projects) => projects.contains(attributes.project),
            Visible::NotPrivate => !attributes.private,
            Visible::WrittenBy(user) => attributes.author == Some(*user),
            Visible::AssignedTo(principals) => attributes
                .assignee
                .is_some_and(|assignee| principals.contains(&assignee)),
            Visible::InTrackers(trackers) => attributes
                .tracker
                .is_some_and(|tracker| trackers.contains(tracker)),
        }
    }

    /// Returns the condition limited to records of these projects.
    #[must_use]
    pub fn within_projects(&self, projects: Arc<IdSet>) -> Visible {
        Visible::All(vec![Visible::InProjects(projects), self.clone()])
    }
}

/// The visibility conditions of a viewer, each computed on first use.
#[derive(Debug, Default)]
pub(crate) struct VisibleCache {
    /// For each content type.
    pub kinds: [OnceLock<Visible>; Kind::ALL.len()],
    pub notes: OnceLock<Visible>,
    pub project_files: OnceLock<Visible>,
    pub time_entries: OnceLock<Visible>,
    /// The members of the visible projects; `None` for a viewer who sees everybody.
    pub members: OnceLock<Option<IdSet>>,
}
