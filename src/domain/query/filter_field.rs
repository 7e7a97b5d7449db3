//! The fields by which lists can be filtered: the table of each list, and custom fields.

use super::filter::{FilterField, FilterType};
use crate::administration::custom_field::CustomField;

/// A field of a list in its table.
pub(super) struct Row<Field> {
    pub field: Field,
    pub name: &'static str,
    pub label: &'static str,
    pub group: &'static str,
    pub kind: FilterType,
}

/// Defines the enum `Field` of a list, and its `TABLE` with a row for each field: name in requests
/// and saved queries, name in messages and on pages, and how operators and values are parsed. Rows
/// are in the groups in which pages offer them. Fields that have parameters follow without a row.
macro_rules! filter_fields {
    (
        $(#[$doc:meta])*
        pub enum Field;
        $($group:literal {
            $($(#[$field_doc:meta])* $field:ident $name:literal $label:literal $kind:expr;)*
        })*
        $($(#[$other_doc:meta])* $other:ident($($parameter:ty),*);)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Field {
            $($($(#[$field_doc])* $field,)*)*
            $($(#[$other_doc])* $other($($parameter),*),)*
        }

        const TABLE: &[$crate::query::filter_field::Row<Field>] = &[$($(
            $crate::query::filter_field::Row {
                field: Field::$field,
                name: $name,
                label: $label,
                group: $group,
                kind: $kind,
            },
        )*)*];
    };
}

pub(super) use filter_fields;

/// The group of custom fields.
pub(super) const CUSTOM_FIELDS: &str = "Custom fields";

impl<Field: Copy> FilterField<Field> {
    /// Creates the field of a table row.
    pub(super) fn from_row(row: &Row<Field>) -> FilterField<Field> {
        FilterField {
            field: row.field,
            name: row.name.into(),
            label: row.label.into(),
            group: row.group,
            kind: row.kind,
            custom_field: None,
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
            group: CUSTOM_FIELDS,
            kind: FilterType::for_format(custom_field.format),
            custom_field: Some(custom_field.id),
        }
    }

    /// Returns it as a field of another list.
    pub(super) fn map<Other>(self, field: impl FnOnce(Field) -> Other) -> FilterField<Other> {
        FilterField {
            field: field(self.field),
            name: self.name,
            label: self.label,
            group: self.group,
            kind: self.kind,
            custom_field: self.custom_field,
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
