//! Relations between issues (compatibility 6.8).

use super::ids::{IssueId, RelationId};

/// How one issue stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationType {
    /// Both have to do with each other.
    Relates,
    /// It says again what the other says.
    Duplicates,
    /// The other says it again.
    Duplicated,
    /// The other cannot be closed before it.
    Blocks,
    /// It cannot be closed before the other.
    Blocked,
    /// The other begins when it is done.
    Precedes,
    /// It begins when the other is done.
    Follows,
    /// The other was copied from it.
    CopiedTo,
    /// It was copied from the other.
    CopiedFrom,
}

use RelationType::{Blocked, Blocks, CopiedFrom, CopiedTo, Duplicated, Duplicates, Follows, Precedes, Relates};

const TABLE: &[(RelationType, &str, RelationType)] = &[
    (Relates, "relates", Relates),
    (Duplicates, "duplicates", Duplicated),
    (Duplicated, "duplicated", Duplicates),
    (Blocks, "blocks", Blocked),
    (Blocked, "blocked", Blocks),
    (Precedes, "precedes", Follows),
    (Follows, "follows", Precedes),
    (CopiedTo, "copied_to", CopiedFrom),
    (CopiedFrom, "copied_from", CopiedTo),
];

impl RelationType {
    /// Returns the type with this name.
    pub fn parse(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The name in the store and on the wire.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The same relation as the other issue sees it.
    #[must_use]
    pub fn reversed(self) -> Self {
        TABLE[self as usize].2
    }

    /// Whether it is kept the other way round: `follows` as `precedes` (compatibility 6.8).
    pub fn is_stored_reversed(self) -> bool {
        matches!(self, Duplicated | Blocked | Follows | CopiedFrom)
    }
}

/// A relation as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The id.
    pub id: RelationId,
    /// The issue that relates; of two that merely have to do with each other, the one with the lower number.
    pub from: IssueId,
    /// The issue to which it relates.
    pub to: IssueId,
    /// How.
    pub kind: RelationType,
    /// Working days between the end of the one and the start of the other. Of `precedes` only.
    pub delay: Option<i64>,
}

impl Relation {
    /// The relation as it is kept: none of those that are kept the other way round, `relates` from the lower number, a delay
    /// only where it means something (compatibility 6.8).
    #[must_use]
    pub fn normalized(self) -> Relation {
        let turned = self.kind.is_stored_reversed();
        let kind = if turned { self.kind.reversed() } else { self.kind };
        let swapped = turned || (kind == Relates && self.from > self.to);
        let (from, to) = if swapped { (self.to, self.from) } else { (self.from, self.to) };
        let delay = (kind == Precedes).then(|| self.delay.unwrap_or(0));
        Relation { from, to, kind, delay, ..self }
    }

    /// The issue at the other end.
    pub fn other_end(&self, issue: IssueId) -> IssueId {
        if self.from == issue { self.to } else { self.from }
    }

    /// The type as the issue at one end sees it.
    pub fn type_from(&self, issue: IssueId) -> RelationType {
        if self.from == issue { self.kind } else { self.kind.reversed() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(from: i64, kind: RelationType, to: i64, delay: Option<i64>) -> Relation {
        Relation { id: RelationId(0), from: IssueId(from), to: IssueId(to), kind, delay }
    }

    #[test]
    fn the_table_stands_in_the_order_of_the_types_and_turns_back() {
        for (place, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, place, "{}", row.1);
            assert_eq!(row.0.reversed().reversed(), row.0);
            assert_eq!(RelationType::parse(row.1), Some(row.0));
        }
    }

    #[test]
    fn it_is_kept_in_one_direction() {
        assert_eq!(relation(20, Follows, 24, None).normalized(), relation(24, Precedes, 20, Some(0)));
        assert_eq!(relation(24, Precedes, 20, Some(3)).normalized(), relation(24, Precedes, 20, Some(3)));
        assert_eq!(relation(21, Relates, 20, Some(5)).normalized(), relation(20, Relates, 21, None));
        assert_eq!(relation(20, CopiedFrom, 27, None).normalized(), relation(27, CopiedTo, 20, None));
    }

    #[test]
    fn each_end_sees_it_in_its_own_way() {
        let duplicates = relation(3, Duplicates, 1, None);
        assert_eq!(duplicates.type_from(IssueId(3)), Duplicates);
        assert_eq!(duplicates.type_from(IssueId(1)), Duplicated);
        assert_eq!((duplicates.other_end(IssueId(1)), duplicates.other_end(IssueId(3))), (IssueId(3), IssueId(1)));
    }
}
