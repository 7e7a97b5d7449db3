//! Why somebody is told of an event.

/// A reason to tell somebody of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Their name is in the text.
    Mentioned,
    /// The issue is assigned to them or to a group of theirs.
    Assigned,
    /// The issue was assigned to them or to a group of theirs before this change.
    WasAssigned,
    /// They are the author of the issue.
    Author,
    /// They watch the record, or something that contains it.
    Watched,
    /// They have chosen all events of the project.
    Project,
    /// They have chosen all issues with a high priority.
    HighPriority,
    /// The event is news or a comment on it, of which all members of the project are told.
    News,
}

impl Reason {
    /// All reasons, the most important first.
    pub const ALL: [Reason; 8] = [
        Reason::Mentioned,
        Reason::Assigned,
        Reason::WasAssigned,
        Reason::Author,
        Reason::Watched,
        Reason::News,
        Reason::HighPriority,
        Reason::Project,
    ];

    /// Returns the bit in the store.
    fn bit(self) -> i64 {
        1 << match self {
            Reason::Mentioned => 0,
            Reason::Assigned => 1,
            Reason::WasAssigned => 2,
            Reason::Author => 3,
            Reason::Watched => 4,
            Reason::Project => 5,
            Reason::HighPriority => 6,
            Reason::News => 7,
        }
    }

    /// Returns the name in the API and in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Mentioned => "mentioned",
            Reason::Assigned => "assigned",
            Reason::WasAssigned => "was_assigned",
            Reason::Author => "author",
            Reason::Watched => "watched",
            Reason::Project => "project",
            Reason::HighPriority => "high_priority",
            Reason::News => "news",
        }
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

    /// Returns the reason with this name.
    pub fn from_name(name: &str) -> Option<Reason> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
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
        Reason::ALL
            .into_iter()
            .filter(move |reason| self.contains(*reason))
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
