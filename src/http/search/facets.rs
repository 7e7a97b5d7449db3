//! Facets as they are shown: values with their names, the most frequent first.

use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{ProjectId, StatusId, TrackerId, UserId};
use crate::domain::kind::Kind;
use crate::search::{Counts, Facet};

/// A value of a facet.
pub struct Value {
    /// The number of what it is, or the year; the code of a content type.
    pub id: i64,
    /// How it is called.
    pub name: String,
    /// How many hits have it.
    pub count: i64,
}

/// How many values of a facet are shown.
const MOST: usize = 100;

/// The values that were counted, most frequent first, then by name; at most 100.
pub fn values(facet: Facet, counts: &Counts, catalogue: &Catalogue) -> Vec<Value> {
    let value =
        |(id, count): (&i64, &u64)| Value { id: *id, name: name(facet, *id, catalogue), count: i64::try_from(*count).unwrap_or(i64::MAX) };
    let mut values: Vec<Value> = counts.iter().map(value).collect();
    values.sort_unstable_by(|one, other| other.count.cmp(&one.count).then_with(|| one.name.cmp(&other.name)).then(one.id.cmp(&other.id)));
    values.truncate(MOST);
    values
}

fn name(facet: Facet, id: i64, catalogue: &Catalogue) -> String {
    let known = match facet {
        Facet::Type => u8::try_from(id).ok().and_then(Kind::from_code).map(Kind::parameter),
        Facet::Project => catalogue.projects.get(&ProjectId(id)).map(|project| project.name.as_str()),
        Facet::Status => catalogue.status(StatusId(id)).map(|status| status.name.as_str()),
        Facet::Tracker => catalogue.tracker(TrackerId(id)).map(|tracker| tracker.name.as_str()),
        Facet::Author => catalogue.principal_name(UserId(id).into()),
        Facet::Year => None,
    };
    known.map_or_else(|| id.to_string(), str::to_owned)
}
