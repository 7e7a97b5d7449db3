//! Why somebody is told of an event.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// A reason to tell somebody of an event. The variants are in the order of their importance, the
/// most important first; their numbers, in another order, are their bits in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    /// Their name is in the text.
    Mentioned = 0,
    /// The issue is assigned to them or to a group of theirs.
    Assigned = 1,
    /// The issue was assigned to them or to a group of theirs before this change.
    WasAssigned = 2,
    /// They are the author of the issue.
    Author = 3,
    /// They watch the record, or something that contains it.
    Watched = 4,
    /// The event is news or a comment on it, of which all members of the project are told.
    News = 7,
    /// They have chosen all issues with a high priority.
    HighPriority = 6,
    /// They have chosen all events of the project.
    Project = 5,
}

impl Reason {
    /// All reasons, the most important first.
    pub const ALL: &[Reason] = Self::VARIANTS;

    /// Returns the bit in the store.
    fn bit(self) -> i64 {
        1 << self as i64
    }

    /// Returns the name in the API and in addresses.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns why a person is told, in words that continue "because".
    pub fn label(self) -> &'static str {
        match self {
            Reason::Mentioned => "mentioned you",
            Reason::Assigned => "assigned to you",
            Reason::WasAssigned => "was assigned to you",
            Reason::Author => "you wrote it",
            Reason::Watched => "you watch it",
            Reason::Project => "everything in the project",
            Reason::HighPriority => "high priority",
            Reason::News => "news of your project",
        }
    }
}

/// A set of reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reasons(i64);

impl Reasons {
    /// Returns the set with this code in the store.
    pub fn from_code(code: i64) -> Reasons {
        Reasons(code)
    }

    /// Returns the code in the store.
    pub fn code(self) -> i64 {
        self.0
    }

    /// Adds a reason.
    pub fn insert(&mut self, reason: Reason) {
        self.0 |= reason.bit();
    }

    /// Returns the set with this reason.
    #[must_use]
    pub fn with(mut self, reason: Reason) -> Reasons {
        self.insert(reason);
        self
    }

    /// Returns the reasons of both sets.
    #[must_use]
    pub fn union(self, other: Reasons) -> Reasons {
        Reasons(self.0 | other.0)
    }

    /// Whether the reason is in the set.
    pub fn contains(self, reason: Reason) -> bool {
        self.0 & reason.bit() != 0
    }

    /// Whether there is no reason.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the reasons, the most important first.
    pub fn iter(self) -> impl Iterator<Item = Reason> {
        let all = Reason::ALL.iter().copied();
        all.filter(move |reason| self.contains(*reason))
    }

    /// Whether people are told only because they are members of the project, and have no part in the
    /// event themselves.
    pub fn are_of_members(self) -> bool {
        let of_members = [Reason::Project, Reason::HighPriority, Reason::News];
        self.iter().all(|reason| of_members.contains(&reason))
    }
}

impl FromIterator<Reason> for Reasons {
    fn from_iter<I: IntoIterator<Item = Reason>>(reasons: I) -> Reasons {
        reasons.into_iter().fold(Reasons::default(), Reasons::with)
    }
}
