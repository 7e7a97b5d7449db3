//! The values of facets with their names, most frequent first.

use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{ProjectId, StatusId, TrackerId, UserId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::stable_sort::StableSort;
use quarry_search::{Facet, FacetCounts};

/// A value of a facet.
pub struct FacetValue {
    /// The id of the record, the year, or the code of the content type.
    pub id: i64,
    pub name: String,
    /// Number of hits with it.
    pub count: i64,
}

/// Maximum number of values of a facet.
const MAX_VALUES: usize = 100;

/// Returns the counted values, most frequent first, then by name.
pub fn values(facet: Facet, counts: &FacetCounts, catalogue: &Catalogue) -> Vec<FacetValue> {
    let values = counts.iter().map(|(id, count)| FacetValue {
        id: *id,
        name: name(facet, *id, catalogue),
        count: i64::try_from(*count).unwrap_or(i64::MAX),
    });
    let mut values: Vec<FacetValue> = values.collect();
    values.stable_sort_by(|a, b| {
        b.count
            .cmp(&a.count)
            .then_with(|| a.name.cmp(&b.name))
            .then(a.id.cmp(&b.id))
    });
    values.truncate(MAX_VALUES);
    values
}

fn name(facet: Facet, id: i64, catalogue: &Catalogue) -> String {
    let name = match facet {
        Facet::Type => u8::try_from(id)
            .ok()
            .and_then(Kind::from_code)
            .map(Kind::parameter),
        Facet::Project => catalogue
            .projects
            .get(&ProjectId(id))
            .map(|project| project.name.as_str()),
        Facet::Status => catalogue
            .status(StatusId(id))
            .map(|status| status.name.as_str()),
        Facet::Tracker => catalogue
            .tracker(TrackerId(id))
            .map(|tracker| tracker.name.as_str()),
        Facet::Author => catalogue.principal_name(UserId(id).into()),
        Facet::Year => None,
    };
    name.map_or_else(|| id.to_string(), str::to_owned)
}
