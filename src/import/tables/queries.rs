//! Saved queries, and those that are the default of projects.

use crate::field::{ColumnType, optional, required, with_default};
use crate::table_mapping::{RowFilter, TableMapping, owned_rows, patch, rows};

/// The kinds of queries in Redmine. Those of plug-ins mean nothing here.
const TYPES: &[&str] = &[
    "IssueQuery",
    "ProjectAdminQuery",
    "ProjectQuery",
    "TimeEntryQuery",
    "UserQuery",
];

pub const ALL: &[TableMapping] = &[
    rows(
        "queries",
        "queries",
        &[
            required("type", ColumnType::Text),
            required("name", ColumnType::Text),
            optional("project_id", ColumnType::Ref("projects")),
            optional("user_id", ColumnType::Ref("users")),
            with_default("visibility", ColumnType::Integer, 0),
            optional("description", ColumnType::Text),
            optional("filters", ColumnType::Yaml).to("filters_json"),
            optional("column_names", ColumnType::Yaml).to("column_names_json"),
            optional("sort_criteria", ColumnType::Yaml).to("sort_criteria_json"),
            optional("group_by", ColumnType::Text),
            optional("options", ColumnType::Yaml).to("options_json"),
        ],
    )
    .filter(RowFilter::In("type", TYPES)),
    owned_rows(
        ("queries_roles", "query_id"),
        ("queries_roles", "query_id"),
        "queries",
        &[required("role_id", ColumnType::Ref("roles"))],
    ),
    patch(
        "projects (query)",
        "projects",
        "id",
        "projects",
        &[optional(
            "default_issue_query_id",
            ColumnType::Ref("queries"),
        )],
    )
    .filter(RowFilter::NotNull("default_issue_query_id"))
    .in_catalogue(),
];
