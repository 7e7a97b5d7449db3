//! Issue priorities, time entry activities and document categories, also those of single projects.

use crate::field::{ColumnType, optional, required, with_default};
use crate::table_mapping::{RowFilter, TableMapping, patch, rows};

pub const ALL: &[TableMapping] = &[
    rows(
        "enumerations",
        "enumerations",
        &[
            required("type", ColumnType::Text),
            required("name", ColumnType::Text),
            with_default("position", ColumnType::Integer, 0),
            with_default("is_default", ColumnType::Boolean, 0),
            with_default("active", ColumnType::Boolean, 1),
            optional("project_id", ColumnType::Ref("projects")),
            optional("position_name", ColumnType::Text),
        ],
    )
    .filter(RowFilter::In(
        "type",
        &["IssuePriority", "TimeEntryActivity", "DocumentCategory"],
    ))
    .in_catalogue(),
    patch(
        "enumerations (parent)",
        "enumerations",
        "id",
        "enumerations",
        &[optional("parent_id", ColumnType::Ref("enumerations"))],
    )
    .filter(RowFilter::NotNull("parent_id"))
    .in_catalogue(),
];
