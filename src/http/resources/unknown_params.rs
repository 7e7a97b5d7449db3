//! Unknown query parameters: ignored with a warning, or rejected with `strict=1` (compatibility
//! 2.1).

use crate::error::Error;
use crate::request::context::RequestContext;
use quarry_domain::values::edit_distance::nearest;
use quarry_domain::values::text::parse_bool;

/// Maximum number of names in a warning.
const MAX_NAMES: usize = 10;
/// Maximum number of characters of each name.
const MAX_NAME_CHARS: usize = 60;

/// Returns the warning for parameters that are not in `known`. With `strict=1` fails with 422 and
/// suggests the nearest known name.
pub fn check<'n>(
    request: &RequestContext,
    known: impl Iterator<Item = &'n str> + Clone,
) -> Result<Option<String>, Error> {
    let names = request
        .query
        .entries()
        .iter()
        .map(|(name, _)| name.as_str());
    check_groups(request, &[unknown_names(names, known)])
}

/// Unknown names, and the known ones for suggestions.
pub(super) struct UnknownNames<'g, 'n> {
    names: Vec<&'g str>,
    known: Vec<&'n str>,
}

/// Returns the names that are not in `known`.
pub(super) fn unknown_names<'g, 'n>(
    names: impl Iterator<Item = &'g str>,
    known: impl Iterator<Item = &'n str>,
) -> UnknownNames<'g, 'n> {
    let known: Vec<&str> = known.collect();
    UnknownNames {
        names: names
            .filter(|name| *name != "strict" && !known.contains(name))
            .collect(),
        known,
    }
}

/// Returns the warning for all unknown names; with `strict=1` fails with 422.
pub(super) fn check_groups(
    request: &RequestContext,
    groups: &[UnknownNames<'_, '_>],
) -> Result<Option<String>, Error> {
    let mut unknown = groups
        .iter()
        .flat_map(|group| group.names.iter().map(move |name| (*name, &group.known)))
        .take(MAX_NAMES)
        .peekable();
    if unknown.peek().is_none() {
        return Ok(None);
    }
    if request
        .query_param("strict")
        .and_then(|text| parse_bool(&text))
        .unwrap_or(false)
    {
        return Err(Error::Invalid(
            unknown.map(|(name, known)| message(name, known)).collect(),
        ));
    }
    let names: Vec<String> = unknown.map(|(name, _)| printable(name)).collect();
    Ok(Some(format!(
        "299 quarry \"unknown parameters were ignored: {}\"",
        names.join(", ")
    )))
}

/// Returns the name as it can be shown in a header.
fn printable(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_ascii_graphic() && *c != '"')
        .take(MAX_NAME_CHARS)
        .collect()
}

fn message(name: &str, known: &[&str]) -> String {
    let name_start: String = name.chars().take(MAX_NAME_CHARS).collect();
    match nearest(&name_start, known.iter().copied()) {
        Some(known) => format!("Unknown parameter {name_start}; did you mean {known}?"),
        None => format!("Unknown parameter {name_start}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_known_name_is_suggested() {
        let unknown = unknown_names(
            ["asigned_to_id", "strict", "status_id", "qwertyuiop"].into_iter(),
            ["assigned_to_id", "status_id"].into_iter(),
        );
        assert_eq!(unknown.names, ["asigned_to_id", "qwertyuiop"]);
        assert_eq!(
            message("asigned_to_id", &unknown.known),
            "Unknown parameter asigned_to_id; did you mean assigned_to_id?"
        );
        assert_eq!(
            message("qwertyuiop", &unknown.known),
            "Unknown parameter qwertyuiop"
        );
    }
}
