//! The fields of a saved query in a request (compatibility 13.7).

use crate::{BodyFields, Error};
use quarry_actions::queries::QueryChange;
use quarry_domain::query::saved::SavedFilter;
use quarry_domain::values::patch::Patch;
use quarry_wire::Input;

/// Parses the object `query`.
pub fn parse(input: &Input) -> Result<QueryChange, Error> {
    let mut body = BodyFields::from_input(input, "query")?;
    let filters = match body.raw("filters") {
        None => Patch::Unset,
        Some(Input::Null) => Patch::Clear,
        Some(filters) => Patch::Set(
            parse_filters(filters)
                .ok_or_else(|| Error::invalid_attribute("filters", "Filters", FILTERS_INVALID))?,
        ),
    };
    let change = QueryChange {
        name: body.text("name", "Name"),
        description: body.text("description", "Description"),
        visibility: body.text("visibility", "Visibility"),
        roles: body.ids("role_ids", "Roles"),
        project: body.text("project_id", "Project"),
        filters,
        columns: body.texts("column_names", "Column names"),
        order: body.texts("sort_criteria", "Sort criteria"),
        group_by: body.text("group_by", "Group by"),
        totals: body.texts("totalable_names", "Totalable names"),
    };
    body.check()?;
    Ok(change)
}

const FILTERS_INVALID: &str =
    "is invalid (a list of objects with field, operator and a list of values is expected)";

/// Parses a list of objects with field, operator and values; `None` if it is anything else.
fn parse_filters(filters: &Input) -> Option<Vec<SavedFilter>> {
    filters.as_list()?.iter().map(parse_filter).collect()
}

fn parse_filter(filter: &Input) -> Option<SavedFilter> {
    let values = match filter.get("values") {
        None | Some(Input::Null) => Vec::new(),
        Some(Input::List(values)) => values
            .iter()
            .map(parse_value)
            .collect::<Option<Vec<String>>>()?,
        Some(value) => vec![parse_value(value)?],
    };
    Some(SavedFilter {
        name: text_of(filter, "field")?,
        operator: text_of(filter, "operator")?,
        values,
    })
}

fn text_of(filter: &Input, name: &str) -> Option<String> {
    filter
        .get(name)
        .and_then(Input::as_text)
        .map(|text| text.trim().to_owned())
}

/// Returns a value as text, booleans as they are stored.
fn parse_value(value: &Input) -> Option<String> {
    match value {
        Input::Null => Some(String::new()),
        Input::Bool(on) => Some(if *on { "1" } else { "0" }.to_owned()),
        value => value.as_text().map(Into::into),
    }
}
