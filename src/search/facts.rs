//! Facts of records by which hits are narrowed and counted: columns of the index, opened only when they are asked for.

use std::collections::HashMap;
use std::sync::Arc;
use tantivy::columnar::ColumnValues;
use tantivy::{DocId, SegmentReader};

use super::schema::Class;
use super::snapshot::plain;
use crate::domain::id_set::IdSet;
use crate::domain::kind::Kind;
use crate::domain::visibility::{self, Visible};

/// A fact that a record has or has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fact {
    /// Its content type, by [`Kind::code`].
    Kind,
    /// The project to which it belongs.
    Project,
    /// Who wrote it.
    Author,
    /// To whom it is assigned. Of issues only, as the next five.
    Assignee,
    /// Its status.
    Status,
    /// Its tracker.
    Tracker,
    /// Its priority.
    Priority,
    /// The version for which it is planned.
    Version,
    /// Its category.
    Category,
    /// When it was made, in seconds since 1970.
    Created,
    /// When it was last changed, in seconds since 1970.
    Updated,
    /// How many files hang on it.
    Files,
}

impl Fact {
    /// The name of its column; none where the class says it.
    pub(super) fn column(self) -> Option<&'static str> {
        match self {
            Self::Kind | Self::Project | Self::Status => None,
            Self::Author => Some("author"),
            Self::Assignee => Some("assignee"),
            Self::Tracker => Some("tracker"),
            Self::Priority => Some("priority"),
            Self::Version => Some("version"),
            Self::Category => Some("category"),
            Self::Created => Some("created"),
            Self::Updated => Some("updated"),
            Self::Files => Some("files"),
        }
    }

    /// Whether only issues have it.
    fn is_of_issues(self) -> bool {
        matches!(self, Self::Assignee | Self::Status | Self::Tracker | Self::Priority | Self::Version | Self::Category)
    }
}

/// What is demanded of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// Of which fact.
    pub fact: Fact,
    /// What it must be.
    pub test: Test,
    /// Whether it must not be so. A record without the fact is then found.
    pub negated: bool,
}

/// What a fact must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// One of these; 0 is none.
    OneOf(IdSet),
    /// Between these, both included; `None` leaves a side open.
    Between(Option<i64>, Option<i64>),
    /// At least one file. The files of a project count only where this admits the project.
    HasFiles(Visible),
}

impl Need {
    fn holds(&self, class: Class, value: i64) -> bool {
        let there = !self.fact.is_of_issues() || is_of(class, Kind::Issue);
        let fits = match &self.test {
            Test::OneOf(ids) => ids.contains(value),
            Test::HasFiles(of_projects) => value > 0 && (!is_of(class, Kind::Project) || of_projects.admits(&facts_of(class))),
            Test::Between(from, to) => from.is_none_or(|from| value >= from) && to.is_none_or(|to| value <= to),
        };
        (there && fits) != self.negated
    }
}

fn is_of(class: Class, kind: Kind) -> bool {
    class.combination() >> 1 == u32::from(kind.code())
}

/// What the class says of a record that is no issue.
fn facts_of(class: Class) -> visibility::Facts {
    visibility::Facts { project: class.project(), private: false, author: None, assignee: None, tracker: None }
}

/// The columns of one segment that some facts need.
pub(super) struct Facts {
    columns: HashMap<Fact, Column>,
}

enum Column {
    Numbers(Arc<dyn ColumnValues<u64>>),
    Instants(Arc<dyn ColumnValues<i64>>),
}

impl Facts {
    /// Opens the columns of these facts.
    pub fn open(reader: &SegmentReader, facts: impl Iterator<Item = Fact>) -> tantivy::Result<Facts> {
        let mut columns = HashMap::new();
        for fact in facts {
            let Some(name) = fact.column() else { continue };
            let column = match fact {
                Fact::Created | Fact::Updated => Column::Instants(plain(reader.fast_fields().i64(name)?)),
                _ => Column::Numbers(plain(reader.fast_fields().u64(name)?)),
            };
            columns.insert(fact, column);
        }
        Ok(Facts { columns })
    }

    /// What a fact is for a document; 0 is none.
    pub fn of(&self, fact: Fact, class: Class, doc: DocId) -> i64 {
        match (fact, self.columns.get(&fact)) {
            (Fact::Kind, _) => i64::from(class.combination() >> 1),
            (Fact::Project, _) => class.project().0,
            (Fact::Status, _) => class.status().0,
            (_, Some(Column::Numbers(column))) => column.get_val(doc).cast_signed(),
            (_, Some(Column::Instants(column))) => column.get_val(doc),
            (_, None) => 0,
        }
    }

    /// Whether a document has everything that is demanded.
    pub fn hold(&self, needs: &[Need], class: Class, doc: DocId) -> bool {
        needs.iter().all(|need| need.holds(class, self.of(need.fact, class, doc)))
    }
}

/// What hits are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Facet {
    /// Content types, by [`Kind::code`].
    Type,
    /// Projects.
    Project,
    /// Statuses of issues.
    Status,
    /// Trackers of issues.
    Tracker,
    /// Authors.
    Author,
    /// Years in which records were made.
    Year,
}

impl Facet {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Facet; 6] = [Self::Type, Self::Project, Self::Status, Self::Tracker, Self::Author, Self::Year];

    /// The name in a request and in an answer.
    pub fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Project => "project",
            Self::Status => "status",
            Self::Tracker => "tracker",
            Self::Author => "author",
            Self::Year => "year",
        }
    }

    /// The facet of this name.
    pub fn parse(name: &str) -> Option<Facet> {
        Self::ALL.into_iter().find(|facet| facet.name() == name)
    }

    /// The fact that it counts.
    pub(super) fn fact(self) -> Fact {
        match self {
            Self::Type => Fact::Kind,
            Self::Project => Fact::Project,
            Self::Status => Fact::Status,
            Self::Tracker => Fact::Tracker,
            Self::Author => Fact::Author,
            Self::Year => Fact::Created,
        }
    }

    /// The value under which a document is counted; `None` where it has none.
    pub(super) fn value(self, fact: i64) -> Option<i64> {
        match self {
            Self::Type => Some(fact),
            Self::Year => Some(year(fact)),
            _ => (fact != 0).then_some(fact),
        }
    }
}

/// The year of an instant, in UTC.
fn year(seconds: i64) -> i64 {
    jiff::Timestamp::from_second(seconds).map_or(0, |instant| i64::from(instant.to_zoned(jiff::tz::TimeZone::UTC).year()))
}

/// How often each value of a facet was counted.
pub type Counts = HashMap<i64, u64>;
