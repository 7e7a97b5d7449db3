//! Resolves qualifiers for a viewer to filters: by attributes that the index has, or by what the
//! store knows of issues.

use super::clause::{Clause, QualifierFilter};
use super::lexer::ParseError;
use super::meaning::{Meaning, QualifierContext};
use super::qualifier::Qualifier;
use crate::schema::columns::{Attribute, AttributeFilter, Predicate};
use crate::schema::store_condition::StoreCondition;

/// Maximum number of qualifiers of a query that the store tests.
const MAX_IN_STORE: usize = 20;

/// Resolves qualifiers to filters. Those of the same name are alternatives, unless they are negated
/// or a record can have several. `in:` has no filter, because it is a part of the parsed query.
/// Fails if a value is unknown, or has no meaning.
pub fn resolve_qualifiers(
    qualifiers: &[QualifierFilter],
    context: &QualifierContext<'_>,
) -> Result<Vec<AttributeFilter>, ParseError> {
    let mut filters: Vec<AttributeFilter> = Vec::with_capacity(qualifiers.len());
    // Qualifiers whose values are alternatives, with the indexes of their filters.
    let mut joined: Vec<(Qualifier, usize)> = Vec::new();
    check_count(qualifiers.iter(), context)?;
    for (index, qualifier) in qualifiers.iter().enumerate() {
        if qualifiers[..index]
            .iter()
            .any(|other| other.is_same(qualifier))
        {
            continue;
        }
        let Some(filter) = resolve(qualifier, context)? else {
            continue;
        };
        if !qualifier.negated && qualifier.qualifier.joins_values(qualifier.value.trim()) {
            let existing = joined.iter().find(|(name, _)| *name == qualifier.qualifier);
            if let Some((_, index)) = existing {
                filters[*index].predicate.join(&filter.predicate);
                continue;
            }
            joined.push((qualifier.qualifier, filters.len()));
        }
        filters.push(filter);
    }
    // The store tests only what passes the others.
    filters.sort_by_key(|filter| filter.store_condition().is_some());
    Ok(filters)
}

/// The condition that a qualifier in a [`Clause`] stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResolvedQualifier {
    qualifier: Qualifier,
    value: String,
    filter: AttributeFilter,
}

impl ResolvedQualifier {
    /// Returns the condition if it is that of this qualifier.
    pub(crate) fn filter_of(&self, qualifier: &QualifierFilter) -> Option<&AttributeFilter> {
        (self.qualifier == qualifier.qualifier && self.value == qualifier.value)
            .then_some(&self.filter)
    }

    /// Returns the condition that the store tests, if it is one.
    pub(crate) fn store_condition(&self) -> Option<&StoreCondition> {
        self.filter.store_condition()
    }
}

/// Resolves the qualifiers of clauses. Fails if a value is unknown, or has no meaning.
pub fn resolve_clauses(
    clauses: &[Clause],
    context: &QualifierContext<'_>,
) -> Result<Vec<ResolvedQualifier>, ParseError> {
    let mut qualifiers: Vec<&QualifierFilter> = Vec::new();
    for clause in clauses {
        clause.for_each_qualifier(&mut |qualifier| qualifiers.push(qualifier));
    }
    check_count(qualifiers.iter().copied(), context)?;
    let mut resolved: Vec<ResolvedQualifier> = Vec::with_capacity(qualifiers.len());
    for qualifier in qualifiers {
        let is_resolved = resolved
            .iter()
            .any(|existing| existing.filter_of(qualifier).is_some());
        if is_resolved {
            continue;
        }
        let filter = resolve(qualifier, context)?;
        resolved.extend(filter.map(|filter| ResolvedQualifier {
            qualifier: qualifier.qualifier,
            value: qualifier.value.clone(),
            filter,
        }));
    }
    Ok(resolved)
}

/// Checks that the store does not have to test too much: each qualifier may read all issues.
fn check_count<'f>(
    qualifiers: impl Iterator<Item = &'f QualifierFilter>,
    context: &QualifierContext<'_>,
) -> Result<(), ParseError> {
    let is_in_store = |qualifier: &&QualifierFilter| {
        let meaning = context.meaning(qualifier.qualifier, qualifier.value.trim());
        matches!(meaning, Ok(Meaning::Issues(_)))
    };
    match qualifiers.filter(is_in_store).nth(MAX_IN_STORE) {
        None => Ok(()),
        Some(qualifier) => Err(qualifier.error(Some(format!(
            "a query has at most {MAX_IN_STORE} qualifiers about dates, hours, people, relations, changes and custom fields of issues"
        )))),
    }
}

/// Returns the filter of a qualifier; `None` if it has none.
fn resolve(
    qualifier: &QualifierFilter,
    context: &QualifierContext<'_>,
) -> Result<Option<AttributeFilter>, ParseError> {
    let meaning = context
        .meaning(qualifier.qualifier, qualifier.value.trim())
        .map_err(|problem| qualifier.error(problem))?;
    Ok(match meaning {
        Meaning::NoFilter => None,
        Meaning::Attribute(attribute, predicate) => Some(AttributeFilter {
            attribute,
            predicate,
            negated: qualifier.negated,
        }),
        Meaning::Issues(sets) => Some(AttributeFilter {
            attribute: Attribute::Record,
            predicate: Predicate::InStore(StoreCondition::new(sets)),
            negated: qualifier.negated,
        }),
    })
}
