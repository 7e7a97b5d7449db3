//! The filter of a search: what its viewer may see, narrowed by the parameters of the request.

use super::project_masks::{ProjectMasks, TYPE_BITS, UNDECIDED_SHIFT};
use super::visibility::Visibility;
use crate::schema::access_class::{AccessClass, type_bit};
use quarry_domain::access::visible::AccessAttributes;
use quarry_domain::ids::{PrincipalId, ProjectId, TrackerId, UserId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::id_set::IdSet;

/// Decides which documents a search may return.
#[derive(Clone, Debug)]
pub struct DocFilter {
    visibility: Visibility,
    masks: ProjectMasks,
    closed: Option<IdSet>,
}

/// What the access class of a record decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The record passes.
    Allow,
    /// The record does not pass.
    Deny,
    /// Author, assignee or tracker decide: call [`DocFilter::allows_record`].
    CheckRecord,
}

impl DocFilter {
    /// Creates a filter for these content types and projects (`None` for all), without issues in
    /// the `closed` statuses.
    pub fn new(
        visibility: &Visibility,
        kinds: &[Kind],
        projects: Option<&IdSet>,
        closed: Option<&IdSet>,
    ) -> DocFilter {
        let types: u32 = kinds
            .iter()
            .map(|kind| 3u32 << type_bit(*kind, false))
            .sum();
        let types = types | types << UNDECIDED_SHIFT;
        let masks = match (projects, visibility.masks()) {
            (Some(projects), masks) => {
                let pairs = projects
                    .as_slice()
                    .iter()
                    .map(|id| (*id, masks.get(ProjectId(*id)) & types));
                ProjectMasks::new(pairs.collect(), 0)
            }
            (None, ProjectMasks::Dense(masks, otherwise)) => ProjectMasks::Dense(
                masks.iter().map(|mask| mask & types).collect(),
                otherwise & types,
            ),
            (None, ProjectMasks::Sparse(masks, otherwise)) => ProjectMasks::Sparse(
                masks.iter().map(|(id, mask)| (*id, mask & types)).collect(),
                otherwise & types,
            ),
        };
        DocFilter {
            visibility: visibility.clone(),
            masks,
            closed: closed.cloned(),
        }
    }

    /// Returns what the class alone decides.
    #[inline]
    pub fn verdict(&self, class: AccessClass) -> Verdict {
        let mask = self.masks.get(class.project()) >> class.type_bit();
        if mask & (1 | 1 << UNDECIDED_SHIFT) == 0 {
            return Verdict::Deny;
        }
        if let Some(closed) = &self.closed
            && class.kind_code() == u32::from(Kind::Issue.code())
            && closed.contains(class.status().0)
        {
            return Verdict::Deny;
        }
        if mask & 1 != 0 {
            Verdict::Allow
        } else {
            Verdict::CheckRecord
        }
    }

    /// Whether the viewer may no longer see the record, whatever the index says of it. `key` is only
    /// called where there are such records.
    #[inline]
    pub fn hides(&self, key: impl FnOnce() -> u64) -> bool {
        self.visibility.hides_records() && self.visibility.hides(key())
    }

    /// Decides for a record whose class leaves it open. Ids are those of the fast fields: 0 for
    /// none.
    pub fn allows_record(
        &self,
        class: AccessClass,
        author: u64,
        assignee: u64,
        tracker: u64,
    ) -> bool {
        let Some(visible) = self.visibility.of_kind(class.kind_code()) else {
            return false;
        };
        visible.matches(&AccessAttributes {
            project: class.project(),
            private: class.is_private(),
            author: id_from_column(author).map(UserId),
            assignee: id_from_column(assignee).map(PrincipalId),
            tracker: id_from_column(tracker).map(TrackerId),
        })
    }

    /// Returns the values of the index field `scope` that may pass; `None` if there are more than
    /// `limit`.
    pub fn scopes(&self, limit: usize) -> Option<Vec<u64>> {
        let pairs: Vec<(i64, u32)> = match &self.masks {
            ProjectMasks::Dense(_, otherwise) | ProjectMasks::Sparse(_, otherwise)
                if *otherwise != 0 =>
            {
                return None;
            }
            ProjectMasks::Dense(masks, _) => (0..)
                .zip(masks.iter().copied())
                .filter(|(_, mask)| *mask != 0)
                .collect(),
            ProjectMasks::Sparse(masks, _) => masks
                .iter()
                .map(|(id, mask)| (*id, *mask))
                .filter(|(_, mask)| *mask != 0)
                .collect(),
        };
        let counts = pairs
            .iter()
            .map(|(_, mask)| possible_types(*mask).count_ones() as usize);
        if counts.sum::<usize>() > limit {
            return None;
        }
        let mut scopes = Vec::new();
        for (project, mask) in pairs {
            let types = possible_types(mask);
            let bits = (0..TYPE_BITS).filter(|bit| types & 1 << bit != 0);
            scopes.extend(bits.map(|bit| project.unsigned_abs() << 4 | u64::from(bit)));
        }
        Some(scopes)
    }
}

/// Returns the id that a fast field holds; `None` for 0.
fn id_from_column(value: u64) -> Option<i64> {
    (value != 0).then_some(value.cast_signed())
}

/// Returns the type bits of a mask that are allowed or undecided.
fn possible_types(mask: u32) -> u32 {
    (mask | mask >> UNDECIDED_SHIFT) & ((1 << TYPE_BITS) - 1)
}
