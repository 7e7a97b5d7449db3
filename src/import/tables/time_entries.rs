//! Time entries.

use crate::field::{ColumnType, optional, required};
use crate::table_mapping::{TableMapping, rows};

pub const ALL: &[TableMapping] = &[rows(
    "time_entries",
    "time_entries",
    &[
        required("project_id", ColumnType::Ref("projects")),
        optional("issue_id", ColumnType::Ref("issues")),
        required("user_id", ColumnType::Ref("users")),
        optional("author_id", ColumnType::Ref("users")),
        required("activity_id", ColumnType::Ref("enumerations")),
        required("hours", ColumnType::Float),
        optional("comments", ColumnType::Text),
        required("spent_on", ColumnType::Date),
        required("created_on", ColumnType::Timestamp),
        required("updated_on", ColumnType::Timestamp),
    ],
)];
