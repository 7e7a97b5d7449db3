//! Addresses that fill in the form for a new issue.

use crate::components::form_field::typed;
use crate::prelude::*;

/// The fields that the next issue gets from the one before, as in Redmine, and other facts.
const KEPT: [&str; 7] = [
    "tracker_id",
    "priority_id",
    "assigned_to_id",
    "category_id",
    "fixed_version_id",
    "parent_issue_id",
    "is_private",
];

/// Maximum number of characters of a value that is kept.
const MAX_VALUE: usize = 100;

/// Returns the query string with `issue[cf_3]` as `issue[custom_field_values][3]`.
pub fn with_custom_fields(query: &Input) -> Input {
    let mut query = query.clone();
    let Input::Map(parameters) = &mut query else {
        return query;
    };
    let issue = parameters.iter_mut().find(|(name, _)| name == "issue");
    let Some((_, Input::Map(fields))) = issue else {
        return query;
    };
    let values: Vec<(String, Input)> = fields
        .extract_if(.., |(name, _)| custom_field(name).is_some())
        .filter_map(|(name, value)| Some((custom_field(&name)?.to_owned(), value)))
        .collect();
    if values.is_empty() {
        return query;
    }
    let existing = fields
        .iter_mut()
        .find(|(name, _)| name == "custom_field_values");
    match existing {
        Some((_, Input::Map(existing))) => existing.extend(values),
        Some(_) => {}
        None => fields.push(("custom_field_values".to_owned(), Input::Map(values))),
    }
    query
}

/// Returns the id of the custom field in a name such as `cf_3`.
fn custom_field(name: &str) -> Option<&str> {
    name.strip_prefix("cf_")
        .filter(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the address of the form for the next issue, with the facts of the one that was sent.
pub fn next_path(request: &RequestContext, is_in_project: bool, project: ProjectId) -> String {
    let mut parameters = Vec::new();
    if !is_in_project {
        parameters.push(format!("issue%5Bproject_id%5D={project}"));
    }
    for column in KEPT {
        let value = typed(&request.body, &format!("issue[{column}]")).unwrap_or_default();
        if !value.is_empty() && value != "0" && value.chars().nth(MAX_VALUE).is_none() {
            parameters.push(format!("issue%5B{column}%5D={}", paths::encode(&value)));
        }
    }
    let address = request.path_and_query();
    let path = address.split('?').next().unwrap_or_default();
    format!("{path}?{}", parameters.join("&"))
}

#[cfg(test)]
mod tests {
    use super::with_custom_fields;
    use quarry_wire::from_query;

    #[test]
    fn custom_fields_have_short_names_in_addresses() {
        let short = from_query("issue[subject]=a&issue[cf_3]=x&issue[cf_4][]=y&issue[cf_z]=0");
        let long = from_query(
            "issue[subject]=a&issue[cf_z]=0&issue[custom_field_values][3]=x&issue[custom_field_values][4][]=y",
        );
        assert_eq!(with_custom_fields(&short.unwrap()), long.unwrap());
        for other in [
            "",
            "issue=7",
            "a=b",
            "issue[custom_field_values]=3&issue[cf_3]=x",
        ] {
            with_custom_fields(&from_query(other).unwrap());
        }
    }
}
