//! Relations between issues (compatibility 6.8).

use crate::ids::{IssueId, RelationId};
use crate::values::stable_sort::StableSort;
use strum::{EnumString, IntoStaticStr};

/// The type of a relation, from the issue at one end to the issue at the other.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum RelationType {
    /// Both issues are related.
    #[default]
    Relates,
    /// It is a duplicate of the other.
    Duplicates,
    /// The other is a duplicate of it.
    Duplicated,
    /// The other cannot be closed before it.
    Blocks,
    /// It cannot be closed before the other.
    Blocked,
    /// The other starts after it ends.
    Precedes,
    /// It starts after the other ends.
    Follows,
    /// The other was copied from it.
    CopiedTo,
    /// It was copied from the other.
    CopiedFrom,
}

use RelationType::{
    Blocked, Blocks, CopiedFrom, CopiedTo, Duplicated, Duplicates, Follows, Precedes, Relates,
};

/// Each type with its label and the type in the other direction.
const TABLE: &[(RelationType, &str, RelationType)] = &[
    (Relates, "related to", Relates),
    (Duplicates, "duplicates", Duplicated),
    (Duplicated, "duplicated by", Duplicates),
    (Blocks, "blocks", Blocked),
    (Blocked, "blocked by", Blocks),
    (Precedes, "precedes", Follows),
    (Follows, "follows", Precedes),
    (CopiedTo, "copied to", CopiedFrom),
    (CopiedFrom, "copied from", CopiedTo),
];

impl RelationType {
    /// Returns the name in the store and the API.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the words between an issue and its related issue.
    pub fn label(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Returns the type from the point of view of the other issue.
    #[must_use]
    pub fn reversed(self) -> Self {
        TABLE[self as usize].2
    }

    /// Whether it is stored in the reverse direction: `follows` as `precedes` (compatibility 6.8).
    pub fn is_stored_reversed(self) -> bool {
        matches!(self, Duplicated | Blocked | Follows | CopiedFrom)
    }
}

/// A relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    pub id: RelationId,
    /// The issue that the type applies to. For `relates`, the one with the lower id.
    pub from: IssueId,
    /// The other issue.
    pub to: IssueId,
    pub kind: RelationType,
    /// Working days between the end of `from` and the start of `to`. Set for `precedes` only.
    pub delay: Option<i64>,
}

impl Relation {
    /// Returns the relation as it is stored: in the stored direction, `relates` from the lower id,
    /// and a delay for `precedes` only (compatibility 6.8).
    #[must_use]
    pub fn normalized(self) -> Relation {
        let reverse = self.kind.is_stored_reversed();
        let kind = if reverse {
            self.kind.reversed()
        } else {
            self.kind
        };
        let swapped = reverse || (kind == Relates && self.from > self.to);
        let (from, to) = if swapped {
            (self.to, self.from)
        } else {
            (self.from, self.to)
        };
        let delay = (kind == Precedes).then(|| self.delay.unwrap_or(0));
        Relation {
            from,
            to,
            kind,
            delay,
            ..self
        }
    }

    /// Returns the issue at the other end.
    pub fn other_end(&self, issue: IssueId) -> IssueId {
        if self.from == issue {
            self.to
        } else {
            self.from
        }
    }

    /// Returns the type from the point of view of the issue at one end.
    pub fn type_from(&self, issue: IssueId) -> RelationType {
        if self.from == issue {
            self.kind
        } else {
            self.kind.reversed()
        }
    }
}

/// Returns the relations of an issue, by type as seen from that issue.
pub fn of_issue(issue: IssueId, relations: &[Relation]) -> Vec<Relation> {
    let mut own: Vec<Relation> = relations
        .iter()
        .filter(|relation| relation.from == issue || relation.to == issue)
        .copied()
        .collect();
    own.stable_sort_by_key(|relation| (relation.type_from(issue), relation.id));
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(from: i64, kind: RelationType, to: i64, delay: Option<i64>) -> Relation {
        Relation {
            from: IssueId(from),
            to: IssueId(to),
            kind,
            delay,
            ..Relation::default()
        }
    }

    #[test]
    fn rows_are_in_the_order_of_the_types_and_reversible() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, index, "{}", row.1);
            assert_eq!(row.0.reversed().reversed(), row.0);
        }
    }

    #[test]
    fn relations_are_normalized_to_one_direction() {
        assert_eq!(
            relation(20, Follows, 24, None).normalized(),
            relation(24, Precedes, 20, Some(0))
        );
        assert_eq!(
            relation(24, Precedes, 20, Some(3)).normalized(),
            relation(24, Precedes, 20, Some(3))
        );
        assert_eq!(
            relation(21, Relates, 20, Some(5)).normalized(),
            relation(20, Relates, 21, None)
        );
        assert_eq!(
            relation(20, CopiedFrom, 27, None).normalized(),
            relation(27, CopiedTo, 20, None)
        );
    }

    #[test]
    fn type_depends_on_the_end() {
        let duplicates = relation(3, Duplicates, 1, None);
        assert_eq!(duplicates.type_from(IssueId(3)), Duplicates);
        assert_eq!(duplicates.type_from(IssueId(1)), Duplicated);
        assert_eq!(
            (
                duplicates.other_end(IssueId(1)),
                duplicates.other_end(IssueId(3))
            ),
            (IssueId(3), IssueId(1))
        );
    }
}
