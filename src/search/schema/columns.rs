//! Attributes of records, by which hits are filtered and counted, and the fast fields that hold
//! them.

use std::collections::HashMap;
use std::sync::Arc;
use tantivy::columnar::{self, ColumnIndex, ColumnValues};
use tantivy::{DocId, SegmentReader};

use super::access_class::{AccessClass, parse_record_key, record_key};
use super::store_condition::StoreCondition;
use quarry_domain::access::visible;
use quarry_domain::access::visible::Visible;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::id_set::IdSet;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// An attribute of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Attribute {
    /// The content type, by [`Kind::code`].
    Kind,
    /// The project.
    Project,
    /// The author.
    Author,
    /// The assignee. Only issues have this and the next five.
    Assignee,
    /// The status.
    Status,
    /// The tracker.
    Tracker,
    /// The priority.
    Priority,
    /// The target version.
    Version,
    /// The category.
    Category,
    /// The time of creation, in seconds since 1970.
    Created,
    /// The time of the last change, in seconds since 1970.
    Updated,
    /// The number of attached files.
    Files,
    /// The record itself, by its key.
    Record,
}

impl Attribute {
    /// Returns the name of its fast field; `None` for those that are a part of the access class.
    pub(crate) fn fast_field(self) -> Option<&'static str> {
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
            Self::Record => Some("key"),
        }
    }

    /// Whether only issues have it.
    fn is_for_issues_only(self) -> bool {
        matches!(
            self,
            Self::Assignee
                | Self::Status
                | Self::Tracker
                | Self::Priority
                | Self::Version
                | Self::Category
        )
    }
}

/// A condition on an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AttributeFilter {
    pub attribute: Attribute,
    /// What its value must be.
    pub predicate: Predicate,
    /// Whether the value must be something else. A record without the attribute then passes.
    pub negated: bool,
}

/// A condition on a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// One of these; 0 stands for none.
    OneOf(IdSet),
    /// Between these, inclusive; `None` is unbounded.
    Between(Option<i64>, Option<i64>),
    /// At least one file. The files of a project count only if this matches the project.
    HasFiles(Visible),
    /// The key of an issue that matches.
    InStore(StoreCondition),
}

impl Predicate {
    /// Joins it with another one of the same attribute: either may hold.
    pub(crate) fn join(&mut self, other: &Predicate) {
        match (self, other) {
            (Predicate::OneOf(ids), Predicate::OneOf(others)) => *ids = ids.union(others),
            (Predicate::InStore(condition), Predicate::InStore(other)) => {
                *condition = condition.union(other);
            }
            _ => {}
        }
    }
}

impl AttributeFilter {
    /// Returns a filter that only these records of one type pass.
    pub fn records(kind: Kind, ids: impl IntoIterator<Item = i64>) -> AttributeFilter {
        let keys = ids.into_iter().map(|id| record_key(kind, id).cast_signed());
        AttributeFilter {
            attribute: Attribute::Record,
            predicate: Predicate::OneOf(keys.collect()),
            negated: false,
        }
    }

    /// Returns the condition that the store tests, if it is one.
    pub(crate) fn store_condition(&self) -> Option<&StoreCondition> {
        match &self.predicate {
            Predicate::InStore(condition) => Some(condition),
            _ => None,
        }
    }

    fn passes(&self, class: AccessClass, value: i64) -> bool {
        let has_attribute = !self.attribute.is_for_issues_only() || is_kind(class, Kind::Issue);
        let matches = match &self.predicate {
            Predicate::OneOf(ids) => ids.contains(value),
            Predicate::HasFiles(visible) => {
                value > 0
                    && (!is_kind(class, Kind::Project)
                        || visible.matches(&access_attributes(class)))
            }
            Predicate::Between(from, to) => {
                from.is_none_or(|from| value >= from) && to.is_none_or(|to| value <= to)
            }
            Predicate::InStore(condition) => {
                let record = parse_record_key(value.cast_unsigned());
                record.is_some_and(|(kind, id)| kind == Kind::Issue && condition.check_or_defer(id))
            }
        };
        (has_attribute && matches) != self.negated
    }
}

fn is_kind(class: AccessClass, kind: Kind) -> bool {
    class.kind_code() == u32::from(kind.code())
}

/// Returns the access attributes of a record that is not an issue, from its class.
fn access_attributes(class: AccessClass) -> visible::AccessAttributes {
    visible::AccessAttributes {
        project: class.project(),
        ..visible::AccessAttributes::default()
    }
}

/// The fast fields of some attributes in one segment.
pub(crate) struct FastFields {
    /// So few that they are not worth hashing.
    columns: Vec<(Attribute, Values)>,
}

enum Values {
    Ids(Arc<dyn ColumnValues<u64>>),
    Times(Arc<dyn ColumnValues<i64>>),
}

impl FastFields {
    /// Opens the fast fields of these attributes.
    pub fn open(
        reader: &SegmentReader,
        attributes: impl Iterator<Item = Attribute>,
    ) -> tantivy::Result<FastFields> {
        let mut columns = Vec::new();
        for attribute in attributes {
            let Some(name) = attribute.fast_field() else {
                continue;
            };
            let values = match attribute {
                Attribute::Created | Attribute::Updated => {
                    Values::Times(dense_values(reader.fast_fields().i64(name)?))
                }
                _ => Values::Ids(dense_values(reader.fast_fields().u64(name)?)),
            };
            columns.push((attribute, values));
        }
        Ok(FastFields { columns })
    }

    /// Returns the value of an attribute of a document; 0 for none.
    pub fn value(&self, attribute: Attribute, class: AccessClass, doc: DocId) -> i64 {
        match attribute {
            Attribute::Kind => return i64::from(class.kind_code()),
            Attribute::Project => return class.project().0,
            Attribute::Status => return class.status().0,
            _ => {}
        }
        let column = self.columns.iter().find(|(known, _)| *known == attribute);
        match column {
            Some((_, Values::Ids(ids))) => ids.get_val(doc).cast_signed(),
            Some((_, Values::Times(times))) => times.get_val(doc),
            None => 0,
        }
    }

    /// Whether a document passes all filters.
    pub fn pass(&self, filters: &[AttributeFilter], class: AccessClass, doc: DocId) -> bool {
        filters
            .iter()
            .all(|filter| filter.passes(class, self.value(filter.attribute, class, doc)))
    }
}

/// Returns the values of a column that every document has, without the indirection through an index
/// of its rows.
pub(crate) fn dense_values<
    T: PartialOrd + Copy + Default + std::fmt::Debug + Send + Sync + 'static,
>(
    column: columnar::Column<T>,
) -> Arc<dyn ColumnValues<T>> {
    match column.index {
        ColumnIndex::Full => column.values,
        _ => column.first_or_default_col(T::default()),
    }
}

/// An attribute by which hits are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
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
    /// Years of creation.
    Year,
}

impl Facet {
    /// All facets in the order of responses.
    pub const ALL: &[Facet] = Self::VARIANTS;

    /// Returns its name in requests and responses.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the attribute that it counts.
    pub(crate) fn attribute(self) -> Attribute {
        match self {
            Self::Type => Attribute::Kind,
            Self::Project => Attribute::Project,
            Self::Status => Attribute::Status,
            Self::Tracker => Attribute::Tracker,
            Self::Author => Attribute::Author,
            Self::Year => Attribute::Created,
        }
    }

    /// Returns the facet value of a record with this value of the attribute; `None` if the record
    /// is not counted.
    pub(crate) fn value(self, attribute_value: i64) -> Option<i64> {
        match self {
            Self::Type => Some(attribute_value),
            Self::Year => Some(year(attribute_value)),
            _ => (attribute_value != 0).then_some(attribute_value),
        }
    }
}

/// Returns the year of a time in seconds since 1970, in UTC.
fn year(seconds: i64) -> i64 {
    jiff::Timestamp::from_second(seconds).map_or(0, |instant| {
        i64::from(instant.to_zoned(jiff::tz::TimeZone::UTC).year())
    })
}

/// The number of hits by value of a facet.
pub type FacetCounts = HashMap<i64, u64>;
