//! The facets beside the results: values with counts, each with the address of the search that is
//! narrowed to it. Of a facet in use, further values can be added.

use super::address::Address;
use crate::prelude::*;
use quarry_domain::ids::{StatusId, TrackerId};
use quarry_domain::values::id_set::IdSet;
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::resources::search::{SearchParams, count};
use quarry_search::{
    Facet, FacetCounts, Predicate, Qualifier, QualifierContext, QualifierFilter, QualifierToken,
    qualifiers_of, resolve_qualifiers, with_qualifier,
};
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
    /// The number of results to which the link leads, or of those that it adds.
    pub count: i64,
    /// Whether the link adds results, because other values are selected.
    pub is_addition: bool,
    /// That number in percent of the largest, from 1.
    pub percent: i64,
    /// The address of the search narrowed to it, or without it if it is selected; `None` if the
    /// query language cannot express it, or the query is long.
    pub path: Option<String>,
    /// Whether the query is narrowed to it.
    pub is_selected: bool,
}

/// A value of a facet.
struct Value {
    name: String,
    /// The value of its qualifier; `None` if the query language cannot express it.
    typed: Option<String>,
    /// The values of the attribute that it stands for, with their numbers of results.
    counts: Vec<(i64, u64)>,
}

/// A value that a row shows.
struct Shown<'q> {
    value: Value,
    /// The qualifier of the query that selects it.
    selected: Option<&'q QualifierToken>,
    count: u64,
}

impl Value {
    /// Returns the number of results, without those of attributes that are `chosen`.
    fn count(&self, chosen: Option<&IdSet>) -> u64 {
        let counts = self.counts.iter();
        counts
            .filter(|(id, _)| chosen.is_none_or(|chosen| !chosen.contains(*id)))
            .map(|(_, count)| count)
            .sum()
    }
}

/// What the facets are counted in.
#[derive(Clone, Copy)]
pub struct Counted<'c> {
    pub request: &'c RequestContext,
    pub db: &'c Read<'c>,
    pub address: &'c Address,
    pub params: &'c SearchParams,
}

/// Returns the facets that have values. `counts` are those of the results; a corrected search has no
/// values to add.
pub fn groups(
    counted: Counted<'_>,
    counts: &[(Facet, FacetCounts)],
    is_corrected: bool,
) -> Result<Vec<FacetGroup>, Error> {
    let qualifiers = qualifiers_of(&counted.address.query);
    let mut groups = Vec::new();
    for (facet, counts) in counts {
        let Some((label, qualifier)) = describe(*facet) else {
            continue;
        };
        let chosen = if is_corrected || counts.is_empty() {
            None
        } else {
            chosen(counted, qualifier, &qualifiers)?
        };
        let wider = match &chosen {
            Some(_) => wider_counts(counted, *facet, qualifier)?,
            None => None,
        };
        let counts = wider.as_ref().unwrap_or(counts);
        let rows = rows(counted, *facet, &qualifiers, counts, chosen.as_ref());
        if !rows.is_empty() {
            groups.push(group(label, rows));
        }
    }
    Ok(groups)
}

/// Returns the values of the attribute that the query is narrowed to; `None` for all, and for
/// qualifiers that are joined by "and".
fn chosen(
    counted: Counted<'_>,
    qualifier: Qualifier,
    qualifiers: &[QualifierToken],
) -> Result<Option<IdSet>, Error> {
    let tokens = qualifiers
        .iter()
        .filter(|token| token.qualifier == qualifier && !token.negated);
    let filters: Vec<QualifierFilter> = tokens
        .map(|token| QualifierFilter {
            qualifier,
            value: token.value.clone(),
            negated: false,
            position: 1,
        })
        .collect();
    let context = QualifierContext {
        catalogue: counted.db.catalogue(),
        viewer: counted.request.viewer(),
        calendar: counted.params.calendar.clone(),
    };
    let resolved = resolve_qualifiers(&filters, &context);
    let resolved = resolved.unwrap_or_default();
    Ok(
        match resolved.into_iter().next().map(|filter| filter.predicate) {
            Some(Predicate::OneOf(ids)) => Some(ids),
            _ => None,
        },
    )
}

/// Counts the results of the search without a qualifier.
fn wider_counts(
    counted: Counted<'_>,
    facet: Facet,
    qualifier: Qualifier,
) -> Result<Option<FacetCounts>, Error> {
    let params = SearchParams {
        facets: vec![facet],
        ignored: Some(qualifier),
        ..counted.params.clone()
    };
    let found = count(counted.request, counted.db, &params, &counted.address.query)?;
    Ok(found.facets.into_iter().next().map(|(_, counts)| counts))
}

fn rows(
    counted: Counted<'_>,
    facet: Facet,
    qualifiers: &[QualifierToken],
    counts: &FacetCounts,
    chosen: Option<&IdSet>,
) -> Vec<FacetRow> {
    let catalogue = counted.db.catalogue();
    let values = match facet {
        Facet::Project => projects(counts, catalogue),
        Facet::Year => counts
            .iter()
            .map(|(year, count)| year_value(*year, *count))
            .collect(),
        _ => by_name(facet, counts, catalogue),
    };
    let Some((_, qualifier)) = describe(facet) else {
        return Vec::new();
    };
    let max = values.iter().map(|value| value.count(None)).max();
    let max = max.unwrap_or_default().max(1);
    let mut shown: Vec<Shown<'_>> = values
        .into_iter()
        .map(|value| {
            let selected = selected(qualifier, qualifiers, &value, catalogue);
            Shown {
                count: value.count(chosen.filter(|_| selected.is_none())),
                selected,
                value,
            }
        })
        .filter(|shown| shown.count > 0)
        .collect();
    match facet {
        Facet::Year => shown.stable_sort_by(|a, b| b.value.name.cmp(&a.value.name)),
        _ => shown.stable_sort_by(|a, b| {
            (b.selected.is_some().cmp(&a.selected.is_some()))
                .then(b.count.cmp(&a.count))
                .then_with(|| a.value.name.cmp(&b.value.name))
        }),
    }
    // There may be thousands of projects, and an address takes time.
    shown.truncate(MAX_VISIBLE + MAX_MORE);
    shown
        .into_iter()
        .map(|shown| row(counted.address, qualifier, shown, max, chosen.is_some()))
        .collect()
}

fn group(label: &'static str, mut rows: Vec<FacetRow>) -> FacetGroup {
    let selected = rows.iter().filter(|row| row.is_selected).count();
    let more = rows.split_off(MAX_VISIBLE.max(selected).min(rows.len()));
    FacetGroup { label, rows, more }
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
    let mut values: HashMap<ProjectId, Value> = HashMap::new();
    for id in counts.keys().map(|id| ProjectId(*id)) {
        if let Some(project) = catalogue.projects.get(&id) {
            let value = Value {
                name: project.name.clone(),
                typed: Some(project.identifier.clone()),
                counts: Vec::new(),
            };
            values.insert(id, value);
        }
    }
    for (id, count) in counts {
        let id = ProjectId(*id);
        for including in std::iter::once(id).chain(catalogue.ancestors(id)) {
            if let Some(value) = values.get_mut(&including) {
                value.counts.push((id.0, *count));
            }
        }
    }
    values.into_values().collect()
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
            counts: Vec::new(),
        });
        value.counts.push((*id, *count));
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
        counts: vec![(year, count)],
    }
}

/// Returns the qualifier of the query that selects a value.
fn selected<'q>(
    qualifier: Qualifier,
    qualifiers: &'q [QualifierToken],
    value: &Value,
    catalogue: &Catalogue,
) -> Option<&'q QualifierToken> {
    let typed = value.typed.as_deref().unwrap_or_default();
    qualifiers.iter().find(|token| {
        let is_value = token.value.trim().to_lowercase() == typed.to_lowercase()
            || qualifier == Qualifier::Project
                && catalogue
                    .project_by(&token.value)
                    .is_some_and(|project| project.identifier == typed);
        token.qualifier == qualifier && !token.negated && is_value
    })
}

fn row(
    address: &Address,
    qualifier: Qualifier,
    shown: Shown<'_>,
    max: u64,
    has_chosen: bool,
) -> FacetRow {
    let Shown {
        value,
        selected,
        count,
    } = shown;
    let query = match selected {
        Some(token) => Some(token.rest.clone()),
        None => value
            .typed
            .as_deref()
            .and_then(|typed| with_qualifier(&address.query, qualifier, typed)),
    };
    FacetRow {
        name: value.name,
        count: i64::try_from(count).unwrap_or(i64::MAX),
        is_addition: has_chosen && selected.is_none(),
        percent: i64::try_from(count * 100 / max).unwrap_or(100).max(1),
        path: query
            .filter(|_| !address.is_long())
            .map(|query| address.with_query(query).url()),
        is_selected: selected.is_some(),
    }
}
