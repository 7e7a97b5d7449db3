//! Issues, their parents and their relations.

use crate::domain::kind::Kind;
use crate::import::field::{ColumnType, optional, required, with_default};
use crate::import::table_mapping::{Reindex, RowFilter, TableMapping, patch, rows};

pub const ALL: &[TableMapping] = &[
    rows(
        "issues",
        "issues",
        &[
            required("project_id", ColumnType::Ref("projects")),
            required("tracker_id", ColumnType::Ref("trackers")),
            required("status_id", ColumnType::Ref("issue_statuses")),
            required("priority_id", ColumnType::Ref("enumerations")),
            required("author_id", ColumnType::Ref("users")),
            optional("assigned_to_id", ColumnType::Ref("users")),
            optional("category_id", ColumnType::Ref("issue_categories")),
            optional("fixed_version_id", ColumnType::Ref("versions")),
            with_default("is_private", ColumnType::Boolean, 0),
            with_default("done_ratio", ColumnType::Integer, 0),
            optional("estimated_hours", ColumnType::Float),
            optional("start_date", ColumnType::Date),
            optional("due_date", ColumnType::Date),
            with_default("created_on", ColumnType::Timestamp, 0),
            with_default("updated_on", ColumnType::Timestamp, 0),
            optional("closed_on", ColumnType::Timestamp),
            with_default("lock_version", ColumnType::Integer, 0),
            required("subject", ColumnType::Text),
            optional("description", ColumnType::Text),
        ],
    )
    .reindexes(Reindex::Own(Kind::Issue)),
    patch("issues (parent)", "issues", "id", "issues", &[optional("parent_id", ColumnType::Ref("issues"))])
        .filter(RowFilter::NotNull("parent_id")),
    rows(
        "issue_relations",
        "issue_relations",
        &[
            required("issue_from_id", ColumnType::Ref("issues")),
            required("issue_to_id", ColumnType::Ref("issues")),
            required("relation_type", ColumnType::Text),
            optional("delay", ColumnType::Integer),
        ],
    ),
];
