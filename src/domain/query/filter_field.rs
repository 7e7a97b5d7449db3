//! By what a list can be filtered: what the tables of its fields say, and what custom fields are there.

use super::filter::{FilterField, FilterType, Keyword};
use crate::domain::custom_field::{CustomField, Format};

/// A field with its name in requests and saved queries, its name in sentences, and how its values and operators are read.
pub(super) type Row<Field> = (Field, &'static str, &'static str, FilterType);

impl<Field: Copy> FilterField<Field> {
    /// What a row of a table says.
    pub(super) fn from_row((field, name, label, kind): &Row<Field>) -> FilterField<Field> {
        FilterField { field: *field, name: (*name).into(), label: (*label).into(), kind: *kind }
    }

    /// A custom field as `cf_N`.
    pub(super) fn custom(field: &CustomField, known: Field) -> FilterField<Field> {
        let name = format!("cf_{}", field.id).into();
        FilterField { field: known, name, label: field.name.clone().into(), kind: FilterType::for_format(field.format) }
    }
}

impl FilterType {
    /// How values and operators of a custom field are read (compatibility 6.3).
    pub fn for_format(format: Format) -> FilterType {
        match format {
            Format::Line | Format::Link => FilterType::Line,
            Format::Text | Format::Other => FilterType::Text,
            Format::Integer | Format::Float => FilterType::Number,
            Format::Date => FilterType::Date,
            Format::List | Format::Enumeration | Format::Bool | Format::Version => FilterType::OptionalChoice(Keyword::None),
            Format::User => FilterType::OptionalChoice(Keyword::User),
        }
    }
}
