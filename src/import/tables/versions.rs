//! Versions and issue categories, and the default version and assignee of projects.

use crate::field::{ColumnType, optional, required, text, with_default};
use crate::table_mapping::{RowFilter, TableMapping, patch, rows};

pub const ALL: &[TableMapping] = &[
    rows(
        "versions",
        "versions",
        &[
            required("project_id", ColumnType::Ref("projects")),
            required("name", ColumnType::Text),
            optional("description", ColumnType::Text),
            text("status", "open"),
            optional("effective_date", ColumnType::Date).to("due_date"),
            text("sharing", "none"),
            optional("wiki_page_title", ColumnType::Text),
            with_default("created_on", ColumnType::Timestamp, 0),
            optional("updated_on", ColumnType::Timestamp),
        ],
    )
    .in_catalogue(),
    rows(
        "issue_categories",
        "issue_categories",
        &[
            required("project_id", ColumnType::Ref("projects")),
            required("name", ColumnType::Text),
            optional("assigned_to_id", ColumnType::Ref("users")),
        ],
    )
    .in_catalogue(),
    patch(
        "projects (version)",
        "projects",
        "id",
        "projects",
        &[optional("default_version_id", ColumnType::Ref("versions"))],
    )
    .filter(RowFilter::NotNull("default_version_id"))
    .in_catalogue(),
    patch(
        "projects (assignee)",
        "projects",
        "id",
        "projects",
        &[optional("default_assigned_to_id", ColumnType::Ref("users"))],
    )
    .filter(RowFilter::NotNull("default_assigned_to_id"))
    .in_catalogue(),
];
