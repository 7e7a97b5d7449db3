//! The filters that a list is asked for, in the short form (`status_id=closed`) and in the long one
//! (`f[]=status_id&op[status_id]=c&v[status_id][]=`), read in one place for every list (contract 4.3).

use super::unknown;
use super::{Ask, Error};
use crate::domain::ids::{ProjectId, QueryId};
use crate::domain::query::filter::{self, Condition, Context, Known};
use crate::store::{Read, queries};
use crate::wire::Input;

/// The parameters of the long form, and those that pages put into addresses and that have nothing to do with filters.
const FORM: &[&str] = &["f", "op", "v", "set_filter", "c", "t", "group_by", "utf8", "key", "format"];

/// How many values all filters of a list may have together.
const MOST_VALUES: usize = 3_000;

/// What was asked for.
#[derive(Debug)]
pub struct Filters<Field> {
    /// All of these must hold.
    pub conditions: Vec<Condition<Field>>,
    /// Whether the long form was used, which replaces what a list shows by itself, even when it names nothing.
    pub long: bool,
    /// The `Warning` for parameters and filters that are not known.
    pub warning: Option<String>,
}

/// Reads the filters by these fields. `others` are parameters of the list that are no filters, even when a field is called so:
/// that one is left to the long form. With `strict=1` an unknown name is a 422; what has a name but no meaning always is.
pub fn read<Field: Copy>(ask: &Ask, known: &[Known<Field>], others: &[&str], context: &Context) -> Result<Filters<Field>, Error> {
    let (mut conditions, mut complaints, mut said) = (Vec::new(), Vec::new(), 0);
    let mut take = |field: Field, read: Result<filter::Test, String>| match read {
        Ok(test) => conditions.push(Condition { field, test }),
        Err(complaint) => complaints.push(complaint),
    };
    for (name, value) in ask.query.entries().iter().filter(|(name, _)| !others.contains(&name.as_str())) {
        let Some(field) = find(known, name) else { continue };
        let read = match value.as_text() {
            Some(text) => {
                said += text.split('|').count();
                filter::short(field.kind, &field.label, &text, context)
            }
            None => Err(format!("{name} must be one text, such as {name}=1|2")),
        };
        take(field.field, read);
    }
    let named = named(ask)?;
    for name in named.iter().flatten() {
        let Some(field) = find(known, name) else { continue };
        let operator = ask.query.at(&["op", name]).and_then(Input::as_text).unwrap_or_default();
        let values = values(ask.query.at(&["v", name]));
        let values: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
        said += values.len();
        take(field.field, filter::long(field.kind, &field.label, &operator, &values, context));
    }
    if said > MOST_VALUES {
        complaints.push(format!("The filters have more than {MOST_VALUES} values"));
    }
    if !complaints.is_empty() {
        return Err(Error::Invalid(complaints));
    }
    let names = known.iter().map(|field| field.name.as_ref());
    let given = ask.query.entries().iter().map(|(name, _)| name.as_str());
    let parameters = unknown::strangers(given, names.clone().chain(others.iter().copied()).chain(FORM.iter().copied()));
    let filters = unknown::strangers(named.iter().flatten().map(String::as_str), names);
    Ok(Filters { conditions, long: named.is_some(), warning: unknown::judge_groups(ask, &[parameters, filters])? })
}

/// What a saved query says.
#[derive(Debug)]
pub struct Saved<Field> {
    /// All of these must hold; `None` when it says nothing of filters.
    pub conditions: Option<Vec<Condition<Field>>>,
    /// By which columns it sorts, each with its direction.
    pub order: Vec<(String, String)>,
}

/// Reads the query that `query_id` names, of this type (`IssueQuery`), for a list of this project, or of all when there is none.
/// One that does not exist, that the viewer may not use, or that belongs to another project is a 404 (contract 4.3). Filters of it
/// that are not known to the viewer are passed over; those that have become wrong are a 422.
pub fn saved<Field: Copy>(
    ask: &Ask,
    db: &Read<'_>,
    kind: &str,
    place: Option<ProjectId>,
    known: &[Known<Field>],
    context: &Context,
) -> Result<Option<Saved<Field>>, Error> {
    let Some(id) = ask.parameter("query_id").filter(|id| !id.trim().is_empty()) else { return Ok(None) };
    let id = id.trim().parse().map(QueryId).map_err(|_| Error::NotFound)?;
    let query = queries::find(db, kind, id)?.filter(|query| query.serves(ask.viewer(), place)).ok_or(Error::NotFound)?;
    let (mut conditions, mut complaints) = (Vec::new(), Vec::new());
    for kept in query.filters.iter().flatten() {
        let Some(field) = find(known, &kept.name) else { continue };
        let values: Vec<&str> = kept.values.iter().map(String::as_str).collect();
        match filter::long(field.kind, &field.label, &kept.operator, &values, context) {
            Ok(test) => conditions.push(Condition { field: field.field, test }),
            Err(complaint) => complaints.push(complaint),
        }
    }
    if !complaints.is_empty() {
        return Err(Error::Invalid(complaints));
    }
    Ok(Some(Saved { conditions: query.filters.is_some().then_some(conditions), order: query.order }))
}

fn find<'k, Field>(known: &'k [Known<Field>], name: &str) -> Option<&'k Known<Field>> {
    known.iter().find(|field| field.name == name)
}

/// The names under `f[]`, each once, blank ones left out; `None` when there is no long form.
fn named(ask: &Ask) -> Result<Option<Vec<String>>, Error> {
    let Some(asked) = ask.query.get("f") else { return Ok(None) };
    let refused = || Error::invalid("f must be a list of names, such as f[]=status_id");
    let names = match asked {
        Input::List(items) => items.iter().map(|item| if item.is_null() { Some(String::new()) } else { item.as_text().map(Into::into) }),
        _ => return asked.as_text().map(|name| Some(vec![name.into_owned()])).ok_or_else(refused),
    };
    let names: Option<Vec<String>> = names.collect();
    let mut names = names.ok_or_else(refused)?;
    names.retain(|name| !name.trim().is_empty());
    names.sort_unstable();
    names.dedup();
    Ok(Some(names))
}

fn values(given: Option<&Input>) -> Vec<String> {
    match given {
        Some(Input::List(items)) => items.iter().filter_map(Input::as_text).map(Into::into).collect(),
        Some(one) => one.as_text().map(Into::into).into_iter().collect(),
        None => Vec::new(),
    }
}
