//! Filters of lists in the short form (`status_id=closed`) and in the long form
//! (`f[]=status_id&op[status_id]=c&v[status_id][]=`), for all lists (compatibility 6.3).

use super::unknown_params;
use crate::error::Error;
use crate::request::context::RequestContext;
use quarry_domain::ids::{ProjectId, QueryId};
use quarry_domain::query::filter;
use quarry_domain::query::filter::{Condition, Context, FilterField, FilterType, MAX_TOTAL_VALUES};
use quarry_domain::query::saved::{QueryKind, SavedFilter, SavedQuery};
use quarry_store::Read;
use quarry_store::lists::queries;
use quarry_wire::Input;
use std::borrow::Cow;

/// Parameters of the long form, and parameters of pages that are not filters.
const OTHER_PARAMS: &[&str] = &[
    "f",
    "op",
    "v",
    "set_filter",
    "c",
    "t",
    "group_by",
    "utf8",
    "key",
    "format",
];

/// The filters of a request.
#[derive(Debug)]
pub struct Filters<Field> {
    /// Conditions that must all match.
    pub conditions: Vec<Condition<Field>>,
    /// Whether the long form was used. It replaces the default filters of a list, even when it is
    /// empty.
    pub is_long_form: bool,
    /// The `Warning` about unknown parameters and filters.
    pub warning: Option<String>,
}

/// Parses the filters by the known fields. `others` are parameters of the list that are not
/// filters; a field of the same name works in the long form only. An unknown name is a 422 with
/// `strict=1`, an invalid value always is.
pub fn parse<Field: Copy>(
    request: &RequestContext,
    known: &[FilterField<Field>],
    others: &[&str],
    context: &Context,
) -> Result<Filters<Field>, Error> {
    let mut conditions = Vec::new();
    let mut errors = Vec::new();
    let mut value_count = 0;
    let mut add = |field: Field, predicate: Result<filter::Predicate, String>| match predicate {
        Ok(predicate) => conditions.push(Condition { field, predicate }),
        Err(error) => errors.push(error),
    };
    for (name, value) in request
        .query
        .entries()
        .iter()
        .filter(|(name, _)| !others.contains(&name.as_str()))
    {
        let Some(field) = find_field(known, name) else {
            continue;
        };
        // An empty box of a form.
        if field.kind == FilterType::Search && value.is_blank() {
            continue;
        }
        let predicate = match value.as_text() {
            Some(text) => {
                value_count += text.split('|').count();
                filter::parse_short(field.kind, &field.label, &text, context)
            }
            None => Err(format!("{name} must be one text, such as {name}=1|2")),
        };
        add(field.field, predicate);
    }
    let long_form = long_form_names(request)?;
    for name in long_form.iter().flatten() {
        let Some(field) = find_field(known, name) else {
            continue;
        };
        let operator = request
            .query
            .at(&["op", name])
            .and_then(Input::as_text)
            .unwrap_or_default();
        let values = values(request.query.at(&["v", name]));
        let values: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
        value_count += values.len();
        add(
            field.field,
            filter::parse(field.kind, &field.label, &operator, &values, context),
        );
    }
    if value_count > MAX_TOTAL_VALUES {
        errors.push(format!(
            "The filters have more than {MAX_TOTAL_VALUES} values"
        ));
    }
    if !errors.is_empty() {
        return Err(Error::Invalid(errors.into_iter().collect()));
    }
    let names = known.iter().map(|field| field.name.as_ref());
    let params = request
        .query
        .entries()
        .iter()
        .map(|(name, _)| name.as_str());
    let parameters = unknown_params::unknown_names(
        params,
        names
            .clone()
            .chain(others.iter().copied())
            .chain(OTHER_PARAMS.iter().copied()),
    );
    let filters =
        unknown_params::unknown_names(long_form.iter().flatten().map(String::as_str), names);
    Ok(Filters {
        conditions,
        is_long_form: long_form.is_some(),
        warning: unknown_params::check_groups(request, &[parameters, filters])?,
    })
}

/// Returns the filters of a request as a saved query has them, and whether the long form was used.
/// Of two by the same field, the one in the long form is kept.
pub fn to_saved<Field>(
    request: &RequestContext,
    known: &[FilterField<Field>],
    others: &[&str],
) -> Result<(Vec<SavedFilter>, bool), Error> {
    let (requested, is_long_form) = requested(request, known, others)?;
    let mut filters: Vec<SavedFilter> = Vec::new();
    for filter in requested {
        filters.retain(|other| other.name != filter.name);
        filters.push(filter);
    }
    Ok((filters, is_long_form))
}

/// Returns the filters of a request in the form of saved ones, first those in the short form, and
/// whether the long form was used. Unknown names are ignored; values are not validated.
pub fn requested<Field>(
    request: &RequestContext,
    known: &[FilterField<Field>],
    others: &[&str],
) -> Result<(Vec<SavedFilter>, bool), Error> {
    let mut filters: Vec<SavedFilter> = Vec::new();
    for (name, value) in request
        .query
        .entries()
        .iter()
        .filter(|(name, _)| !others.contains(&name.as_str()))
    {
        let (Some(field), Some(text)) = (find_field(known, name), value.as_text()) else {
            continue;
        };
        if field.kind == FilterType::Search && value.is_blank() {
            continue;
        }
        let (operator, values) = filter::split_short(field.kind, &text);
        let values = values.into_iter().map(str::to_owned).collect();
        filters.push(SavedFilter {
            name: name.clone(),
            operator: operator.to_owned(),
            values,
        });
    }
    let long_form = long_form_names(request)?;
    for name in long_form
        .iter()
        .flatten()
        .filter(|name| find_field(known, name).is_some())
    {
        let operator = request
            .query
            .at(&["op", name])
            .and_then(Input::as_text)
            .unwrap_or_default()
            .into_owned();
        filters.push(SavedFilter {
            name: name.clone(),
            operator,
            values: values(request.query.at(&["v", name])),
        });
    }
    Ok((filters, long_form.is_some()))
}

/// A saved query with its filters parsed.
#[derive(Debug)]
pub struct Saved<Field> {
    /// Conditions that must all match; `None` when the query has no filters of its own.
    pub conditions: Option<Vec<Condition<Field>>>,
    pub query: SavedQuery,
}

/// Returns the name of the column that groups the list: that of the request, or else that of the
/// saved query.
pub fn group_by<'a, Field>(
    request: &'a RequestContext,
    saved: Option<&'a Saved<Field>>,
) -> Cow<'a, str> {
    let requested = request
        .query_param("group_by")
        .filter(|name| !name.trim().is_empty());
    requested.unwrap_or_else(|| saved.map_or("", |saved| &saved.query.group_by).into())
}

/// Returns the order that the request requests.
pub fn requested_order(request: &RequestContext) -> Option<Cow<'_, str>> {
    let order = request.query_param("sort");
    order.filter(|text| !text.trim().is_empty())
}

/// Returns the columns and directions by which the saved query sorts.
pub fn saved_order<Field>(saved: Option<&Saved<Field>>) -> impl Iterator<Item = (&str, &str)> {
    let criteria = saved.into_iter().flat_map(|saved| &saved.query.order);
    criteria.map(|(name, direction)| (name.as_str(), direction.as_str()))
}

/// Returns the saved query with the id in `query_id`, for this list, of one project or of all.
/// Fails with 404 when the query does not exist, belongs to another project, or is not visible
/// (compatibility 6.3).
pub fn find_saved(
    request: &RequestContext,
    db: &Read<'_>,
    kind: QueryKind,
    project: Option<ProjectId>,
) -> Result<Option<SavedQuery>, Error> {
    let Some(id) = request
        .filter_param("query_id")?
        .filter(|id| !id.trim().is_empty())
    else {
        return Ok(None);
    };
    let id = id
        .trim()
        .parse()
        .map(QueryId)
        .map_err(|_| Error::NotFound)?;
    let query =
        queries::find(db, kind, id)?.filter(|query| query.is_usable_by(request.viewer(), project));
    query.map(Some).ok_or(Error::NotFound)
}

/// Loads what [`find_saved`] finds. Filters by fields that the viewer cannot see are ignored;
/// filters that have become invalid are a 422.
pub fn saved<Field: Copy>(
    request: &RequestContext,
    db: &Read<'_>,
    kind: QueryKind,
    project: Option<ProjectId>,
    known: &[FilterField<Field>],
    context: &Context,
) -> Result<Option<Saved<Field>>, Error> {
    let query = find_saved(request, db, kind, project)?;
    query
        .map(|query| resolve(query, known, context))
        .transpose()
}

/// Returns a query with its conditions. Filters by fields that the viewer cannot see are ignored;
/// filters that have become invalid are a 422.
pub fn resolve<Field: Copy>(
    query: SavedQuery,
    known: &[FilterField<Field>],
    context: &Context,
) -> Result<Saved<Field>, Error> {
    let mut conditions = Vec::new();
    let mut errors = Vec::new();
    for stored in query.filters.iter().flatten() {
        let Some(field) = find_field(known, &stored.name) else {
            continue;
        };
        let values: Vec<&str> = stored.values.iter().map(String::as_str).collect();
        match filter::parse(field.kind, &field.label, &stored.operator, &values, context) {
            Ok(predicate) => conditions.push(Condition {
                field: field.field,
                predicate,
            }),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(Error::Invalid(errors.into_iter().collect()));
    }
    let conditions = query.filters.is_some().then_some(conditions);
    Ok(Saved { conditions, query })
}

fn find_field<'k, Field>(
    known: &'k [FilterField<Field>],
    name: &str,
) -> Option<&'k FilterField<Field>> {
    known.iter().find(|field| field.name == name)
}

/// Returns the names in `f[]` without blanks and duplicates; `None` when the long form is not used.
fn long_form_names(request: &RequestContext) -> Result<Option<Vec<String>>, Error> {
    let Some(value) = request.query.get("f") else {
        return Ok(None);
    };
    let names = match value {
        Input::List(items) => items.iter().map(|item| {
            if item.is_null() {
                Some(String::new())
            } else {
                item.as_text().map(Into::into)
            }
        }),
        _ => {
            return value
                .as_text()
                .map(|name| Some(vec![name.into_owned()]))
                .ok_or_else(invalid_names);
        }
    };
    let names: Option<Vec<String>> = names.collect();
    let mut names = names.ok_or_else(invalid_names)?;
    names.retain(|name| !name.trim().is_empty());
    names.sort_unstable();
    names.dedup();
    Ok(Some(names))
}

fn invalid_names() -> Error {
    Error::invalid("f must be a list of names, such as f[]=status_id")
}

fn values(value: Option<&Input>) -> Vec<String> {
    match value {
        Some(Input::List(items)) => items
            .iter()
            .filter_map(Input::as_text)
            .map(Into::into)
            .collect(),
        Some(value) => value.as_text().map(Into::into).into_iter().collect(),
        None => Vec::new(),
    }
}
