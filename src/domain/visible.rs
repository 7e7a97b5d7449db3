//! A condition on records, such as "in these projects and not private".
//!
//! `matches` evaluates it for one record in memory; `store::visibility` translates it to SQL and `search::access` to an index filter. A
//! property test compares the three.

use super::id_set::IdSet;
use super::ids::{PrincipalId, ProjectId, TrackerId, UserId};
use super::kind::Kind;
use std::sync::{Arc, OnceLock};

/// A condition on a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Visible {
    /// Holds for every record.
    Everything,
    /// Holds for none.
    Nothing,
    /// At least one of them holds.
    Any(Vec<Visible>),
    /// All of them hold.
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

/// What the conditions ask of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessAttributes {
    /// The project to which it belongs.
    pub project: ProjectId,
    /// Whether it is marked private; `false` for what cannot be.
    pub private: bool,
    /// Who wrote it.
    pub author: Option<UserId>,
    /// To whom it is assigned.
    pub assignee: Option<PrincipalId>,
    /// Its tracker; `None` for what is no issue.
    pub tracker: Option<TrackerId>,
}

impl Visible {
    /// Whether the condition holds for a record with these attributes.
    pub fn matches(&self, attributes: &AccessAttributes) -> bool {
        match self {
            Visible::Everything => true,
            Visible::Nothing => false,
            Visible::Any(parts) => parts.iter().any(|part| part.matches(attributes)),
            Visible::All(parts) => parts.iter().all(|part| part.matches(attributes)),
            Visible::InProjects(projects) => projects.contains(attributes.project),
            Visible::NotPrivate => !attributes.private,
            Visible::WrittenBy(user) => attributes.author == Some(*user),
            Visible::AssignedTo(principals) => attributes.assignee.is_some_and(|assignee| principals.contains(&assignee)),
            Visible::InTrackers(trackers) => attributes.tracker.is_some_and(|tracker| trackers.contains(tracker)),
        }
    }

    /// The condition and also that the record belongs to one of these projects.
    #[must_use]
    pub fn within_projects(&self, projects: Arc<IdSet>) -> Visible {
        Visible::All(vec![Visible::InProjects(projects), self.clone()])
    }
}

/// The expressions of one viewer, each built on first use.
#[derive(Debug, Default)]
pub(super) struct VisibleCache {
    /// By content type.
    pub kinds: [OnceLock<Visible>; Kind::ALL.len()],
    /// Of notes.
    pub notes: OnceLock<Visible>,
    /// Of the files of projects.
    pub project_files: OnceLock<Visible>,
    /// Of time entries.
    pub time_entries: OnceLock<Visible>,
}
