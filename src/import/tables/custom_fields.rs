//! Custom fields with their settings, and their values.

use crate::field::{ColumnType, Field, optional, required, with_default};
use crate::table_mapping::{Reindex, TableMapping, owned_rows, rows};

pub const SETTINGS: &[TableMapping] = &[
    rows(
        "custom_fields",
        "custom_fields",
        &[
            required("type", ColumnType::Text),
            required("name", ColumnType::Text),
            required("field_format", ColumnType::Text),
            optional("position", ColumnType::Integer),
            optional("regexp", ColumnType::Text),
            optional("min_length", ColumnType::Integer),
            optional("max_length", ColumnType::Integer),
            optional("default_value", ColumnType::Text),
            with_default("is_required", ColumnType::Boolean, 0),
            with_default("is_for_all", ColumnType::Boolean, 0),
            with_default("is_filter", ColumnType::Boolean, 0),
            with_default("searchable", ColumnType::Boolean, 0),
            with_default("editable", ColumnType::Boolean, 1),
            with_default("visible", ColumnType::Boolean, 1),
            with_default("multiple", ColumnType::Boolean, 0),
            optional("description", ColumnType::Text),
            optional("possible_values", ColumnType::Yaml).to("possible_values_json"),
            optional("format_store", ColumnType::Yaml).to("format_store_json"),
        ],
    )
    .in_catalogue(),
    rows(
        "custom_field_enumerations",
        "custom_field_enumerations",
        &[
            required("custom_field_id", ColumnType::Ref("custom_fields")),
            required("name", ColumnType::Text),
            with_default("active", ColumnType::Boolean, 1),
            with_default("position", ColumnType::Integer, 0),
        ],
    )
    .in_catalogue(),
    assigned_to(
        "custom_fields_trackers",
        &[required("tracker_id", ColumnType::Ref("trackers"))],
    ),
    assigned_to(
        "custom_fields_projects",
        &[required("project_id", ColumnType::Ref("projects"))],
    ),
    assigned_to(
        "custom_fields_roles",
        &[required("role_id", ColumnType::Ref("roles"))],
    ),
];

const fn assigned_to(table: &'static str, fields: &'static [Field]) -> TableMapping {
    owned_rows(
        (table, "custom_field_id"),
        (table, "custom_field_id"),
        "custom_fields",
        fields,
    )
    .in_catalogue()
}

const RECORDS: &[(&str, &str)] = &[
    ("Issue", "issues"),
    ("Project", "projects"),
    ("Version", "versions"),
    ("TimeEntry", "time_entries"),
    ("Document", "documents"),
    ("Principal", "users"),
    ("User", "users"),
    ("Group", "users"),
    ("Enumeration", "enumerations"),
    ("IssuePriority", "enumerations"),
    ("TimeEntryActivity", "enumerations"),
    ("DocumentCategory", "enumerations"),
];

pub const VALUES: &[TableMapping] = &[rows(
    "custom_values",
    "custom_values",
    &[
        required("customized_type", ColumnType::Text),
        required(
            "customized_id",
            ColumnType::PolymorphicRef("customized_type", RECORDS),
        ),
        required("custom_field_id", ColumnType::Ref("custom_fields")),
        optional("value", ColumnType::Text),
    ],
)
.reindexes(Reindex::Customized)];
