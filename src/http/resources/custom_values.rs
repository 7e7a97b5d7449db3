//! The values of custom fields of a record, for people.

use quarry_domain::administration::custom_field::{CustomField, Format, Values};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{PrincipalId, VersionId};
use quarry_domain::values::text::date;

/// Maximum number of characters of the values of a field.
const MAX_CHARS: usize = 500;

/// A field that has a value.
pub struct CustomValue {
    /// The name of the field.
    pub label: String,
    /// Its values, separated by commas.
    pub text: String,
    /// The address to which the value links.
    pub path: Option<String>,
}

/// Returns those of these fields that have a value, in their order.
pub fn list<'f>(
    catalogue: &Catalogue,
    fields: impl Iterator<Item = &'f CustomField>,
    values: &Values,
) -> Vec<CustomValue> {
    let shown = fields.filter_map(|field| {
        let texts: Vec<String> = values
            .get(field.id)?
            .iter()
            .filter(|text| !text.is_empty())
            .map(|text| text_of(catalogue, field, text))
            .collect();
        let text: String = texts.join(", ").chars().take(MAX_CHARS).collect();
        let path = (field.format == Format::Link)
            .then(|| text.clone())
            .filter(|url| is_web_address(url));
        (!text.is_empty()).then(|| CustomValue {
            label: field.name.clone(),
            text,
            path,
        })
    });
    shown.collect()
}

fn is_web_address(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// Returns a value of a field as text: names instead of ids.
pub fn text_of(catalogue: &Catalogue, field: &CustomField, value: &str) -> String {
    let name = match field.format {
        Format::User => value
            .parse::<i64>()
            .ok()
            .and_then(|id| Some(catalogue.principal_name(PrincipalId(id))?.to_owned())),
        Format::Version => value
            .parse::<i64>()
            .ok()
            .and_then(|id| Some(catalogue.versions.get(&VersionId(id))?.name.clone())),
        Format::Enumeration => value.parse::<i64>().ok().and_then(|id| {
            Some(
                field
                    .enumeration
                    .iter()
                    .find(|value| value.0 == id)?
                    .1
                    .clone(),
            )
        }),
        Format::Bool => Some(if value == "1" { "yes" } else { "no" }.to_owned()),
        Format::Date => value.parse().ok().map(date),
        _ => None,
    };
    name.unwrap_or_else(|| value.to_owned())
}
