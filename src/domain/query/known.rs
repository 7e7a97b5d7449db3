//! By what a list can be filtered: what the tables of its fields say, and what custom fields are there.

use super::filter::{Known, Me, Type};
use crate::domain::custom_field::{CustomField, Format};

/// A field with its name in requests and saved queries, its name in sentences, and how its values and operators are read.
pub(super) type Row<Field> = (Field, &'static str, &'static str, Type);

impl<Field: Copy> Known<Field> {
    /// What a row of a table says.
    pub(super) fn of((field, name, label, kind): &Row<Field>) -> Known<Field> {
        Known { field: *field, name: (*name).into(), label: (*label).into(), kind: *kind }
    }

    /// A custom field as `cf_N`.
    pub(super) fn custom(field: &CustomField, known: Field) -> Known<Field> {
        let name = format!("cf_{}", field.id).into();
        Known { field: known, name, label: field.name.clone().into(), kind: Type::of(field.format) }
    }
}

impl Type {
    /// How values and operators of a custom field are read (contract 4.3).
    pub fn of(format: Format) -> Type {
        match format {
            Format::Line | Format::Link => Type::Line,
            Format::Text | Format::Other => Type::Text,
            Format::Whole | Format::Number => Type::Number,
            Format::Date => Type::Date,
            Format::List | Format::Enumeration | Format::Switch | Format::Version => Type::OptionalChoice(Me::Unknown),
            Format::User => Type::OptionalChoice(Me::Asker),
        }
    }
}
