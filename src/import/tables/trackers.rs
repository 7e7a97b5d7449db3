//! Issue statuses and trackers.

use crate::field::{ColumnType, optional, required, with_default};
use crate::table_mapping::{TableMapping, rows};

pub const ALL: &[TableMapping] = &[
    rows(
        "issue_statuses",
        "issue_statuses",
        &[
            required("name", ColumnType::Text),
            with_default("position", ColumnType::Integer, 0),
            with_default("is_closed", ColumnType::Boolean, 0),
            optional("description", ColumnType::Text),
            optional("default_done_ratio", ColumnType::Integer),
        ],
    )
    .in_catalogue(),
    rows(
        "trackers",
        "trackers",
        &[
            required("name", ColumnType::Text),
            with_default("position", ColumnType::Integer, 0),
            required("default_status_id", ColumnType::Ref("issue_statuses")),
            optional("description", ColumnType::Text),
            with_default("is_in_roadmap", ColumnType::Boolean, 1),
            with_default("fields_bits", ColumnType::Integer, 0),
            with_default("private_by_default", ColumnType::Boolean, 0),
        ],
    )
    .in_catalogue(),
];
