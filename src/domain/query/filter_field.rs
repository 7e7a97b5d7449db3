//! Creates [`FilterField`]s from the table of a list and from custom fields.

use super::filter::{FilterField, FilterType, Keyword};
use crate::administration::custom_field::{CustomField, Format};

/// A field with its name in requests and saved queries, its name in messages, and how its operators
/// and values are parsed.
pub(super) type Row<Field> = (Field, &'static str, &'static str, FilterType);

impl<Field: Copy> FilterField<Field> {
    /// Creates the field of a table row.
    pub(super) fn from_row((field, name, label, kind): &Row<Field>) -> FilterField<Field> {
        FilterField {
            field: *field,
            name: (*name).into(),
            label: (*label).into(),
            kind: *kind,
        }
    }

    /// Creates the field `cf_N` of a custom field.
    pub(super) fn from_custom_field(
        custom_field: &CustomField,
        field: Field,
    ) -> FilterField<Field> {
        let name = format!("cf_{}", custom_field.id).into();
        FilterField {
            field,
            name,
            label: custom_field.name.clone().into(),
            kind: FilterType::for_format(custom_field.format),
        }
    }

    /// Returns the field of a record to which the listed record refers, by the name of that record
    /// in requests and in messages.
    pub(super) fn of_record(self, name: &str, label: &str) -> FilterField<Field> {
        FilterField {
            name: format!("{name}.{}", self.name).into(),
            label: format!("{label}'s {}", self.label).into(),
            ..self
        }
    }
}

impl FilterType {
    /// Returns the type for a format of custom fields (compatibility 6.3).
    pub fn for_format(format: Format) -> FilterType {
        match format {
            Format::Line | Format::Link => FilterType::Line,
            Format::Text | Format::Other => FilterType::Text,
            Format::Integer => FilterType::Integer,
            Format::Float => FilterType::Number,
            Format::Date => FilterType::Date,
            Format::List | Format::Enumeration | Format::Bool | Format::Version => {
                FilterType::OptionalChoice(Keyword::None)
            }
            Format::User => FilterType::OptionalChoice(Keyword::User),
        }
    }
}
