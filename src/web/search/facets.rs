//! The facets beside the results: values with counts, each with the address of the search that is
//! narrowed to it.

use super::address::Address;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{ProjectId, StatusId, TrackerId, UserId};
use quarry_search::{Facet, FacetCounts, Qualifier, QualifierToken, qualifiers_of, with_qualifier};
use std::collections::HashMap;

/// The facets of the page, in their order.
pub const FACETS: [Facet; 5] = [
    Facet::Project,
    Facet::Tracker,
    Facet::Status,
    Facet::Author,
    Facet::Year,
];
/// Maximum number of values that are always shown.
const MAX_VISIBLE: usize = 6;
/// Maximum number of further values, which unfold.
const MAX_MORE: usize = 24;

/// A facet.
pub struct FacetGroup {
    /// Its name for people.
    pub label: &'static str,
    /// Its values.
    pub rows: Vec<FacetRow>,
    /// Further values, which unfold.
    pub more: Vec<FacetRow>,
}

/// A value of a facet.
pub struct FacetRow {
    pub name: String,
    /// The number of results to which the link leads.
    pub count: i64,
    /// That number in percent of the largest, from 1.
    pub percent: i64,
    /// The address of the search narrowed to it, or without it if it is selected; `None` if the
    /// query language cannot express it.
    pub path: Option<String>,
    /// Whether the query is narrowed to it.
    pub is_selected: bool,
}

/// A value of a facet: its name, the value of its qualifier, and the number of results.
struct Value {
    name: String,
    typed: Option<String>,
    count: u64,
}

/// Returns the facets that have values.
pub fn groups(
    address: &Address,
    counts: &[(Facet, FacetCounts)],
    catalogue: &Catalogue,
) -> Vec<FacetGroup> {
    let qualifiers = qualifiers_of(&address.query);
    let group = |(facet, counts): &(Facet, FacetCounts)| {
        let (label, qualifier) = describe(*facet)?;
        let mut values = match facet {
            Facet::Project => projects(counts, catalogue),
            Facet::Year => counts
                .iter()
                .map(|(year, count)| year_value(*year, *count))
                .collect(),
            _ => by_name(*facet, counts, catalogue),
        };
        match facet {
            Facet::Year => values.sort_by(|a, b| b.name.cmp(&a.name)),
            _ => values.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name))),
        }
        let max = values.iter().map(|value| value.count).max()?;
        let rows = values
            .into_iter()
            .take(MAX_VISIBLE + MAX_MORE)
            .map(|value| row(address, qualifier, &qualifiers, value, max, catalogue));
        let mut rows: Vec<FacetRow> = rows.collect();
        let more = rows.split_off(MAX_VISIBLE.min(rows.len()));
        Some(FacetGroup { label, rows, more })
    };
    counts.iter().filter_map(group).collect()
}

fn describe(facet: Facet) -> Option<(&'static str, Qualifier)> {
    match facet {
        Facet::Type => None,
        Facet::Project => Some(("Project", Qualifier::Project)),
        Facet::Tracker => Some(("Tracker", Qualifier::Tracker)),
        Facet::Status => Some(("Status", Qualifier::Status)),
        Facet::Author => Some(("Author", Qualifier::Author)),
        Facet::Year => Some(("Year", Qualifier::Created)),
    }
}

/// Returns the projects with hits. As `project:` includes subprojects, so do the counts.
fn projects(counts: &FacetCounts, catalogue: &Catalogue) -> Vec<Value> {
    counts
        .keys()
        .filter_map(|id: &i64| {
            let project = catalogue.projects.get(&ProjectId(*id))?;
            let count = catalogue
                .subtree(project.id)
                .into_iter()
                .filter_map(|id| counts.get(&id.0))
                .sum();
            Some(Value {
                name: project.name.clone(),
                typed: Some(project.identifier.clone()),
                count,
            })
        })
        .collect()
}

/// Returns values whose qualifier is their name. Those of the same name, ignoring case, are one
/// value, as in a query.
fn by_name(facet: Facet, counts: &FacetCounts, catalogue: &Catalogue) -> Vec<Value> {
    let mut values: HashMap<String, Value> = HashMap::new();
    for (id, count) in counts {
        let name = match facet {
            Facet::Status => catalogue
                .status(StatusId(*id))
                .map(|status| status.name.as_str()),
            Facet::Tracker => catalogue
                .tracker(TrackerId(*id))
                .map(|tracker| tracker.name.as_str()),
            _ => catalogue.principal_name(UserId(*id).into()),
        };
        // In a query, a login comes before a name: that of somebody else would lead to other
        // results.
        let typed = name
            .filter(|name| {
                *name == name.trim()
                    && !is_reserved(name)
                    && !(facet == Facet::Author
                        && catalogue
                            .user_by_login(name)
                            .is_some_and(|user| user.id.0 != *id))
            })
            .map(str::to_owned);
        let name = name.unwrap_or("Anonymous");
        let value = values.entry(name.to_lowercase()).or_insert_with(|| Value {
            name: name.to_owned(),
            typed: typed.clone(),
            count: 0,
        });
        value.count += count;
        if typed.is_none() {
            value.typed = None;
        }
    }
    values.into_values().collect()
}

/// Whether a qualifier has another meaning for this value.
fn is_reserved(name: &str) -> bool {
    matches!(name, "me" | "none")
}

fn year_value(year: i64, count: u64) -> Value {
    let name = format!("{year:04}");
    Value {
        typed: (1000..=9999).contains(&year).then(|| name.clone()),
        name,
        count,
    }
}

fn row(
    address: &Address,
    qualifier: Qualifier,
    qualifiers: &[QualifierToken],
    value: Value,
    max: u64,
    catalogue: &Catalogue,
) -> FacetRow {
    let selected = qualifiers.iter().find(|token| {
        let typed = value.typed.as_deref().unwrap_or_default();
        let is_value = token.value.trim().to_lowercase() == typed.to_lowercase()
            || qualifier == Qualifier::Project
                && catalogue
                    .project_by(&token.value)
                    .is_some_and(|p| p.identifier == typed);
        token.qualifier == qualifier && !token.negated && is_value
    });
    let query = match selected {
        Some(token) => Some(token.rest.clone()),
        None => value
            .typed
            .as_deref()
            .and_then(|typed| with_qualifier(&address.query, qualifier, typed)),
    };
    FacetRow {
        name: value.name,
        count: i64::try_from(value.count).unwrap_or(i64::MAX),
        percent: i64::try_from(value.count * 100 / max.max(1))
            .unwrap_or(100)
            .max(1),
        path: query.map(|query| address.with_query(query).url()),
        is_selected: selected.is_some(),
    }
}
