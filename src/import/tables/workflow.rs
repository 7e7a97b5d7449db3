//! Workflow: the allowed status transitions, and the required and read-only fields. The workflow of
//! a tracker is one set, because Redmine gives its rows new ids whenever it is saved.

use crate::field::{ColumnType, required, with_default};
use crate::table_mapping::{RowFilter, TableMapping, owned_rows};

pub const ALL: &[TableMapping] = &[
    owned_rows(
        ("workflows", "tracker_id"),
        ("workflow_transitions", "tracker_id"),
        "trackers",
        &[
            required("role_id", ColumnType::Ref("roles")),
            with_default("old_status_id", ColumnType::Integer, 0),
            required("new_status_id", ColumnType::Ref("issue_statuses")),
            with_default("author", ColumnType::Boolean, 0),
            with_default("assignee", ColumnType::Boolean, 0),
        ],
    )
    .label("workflows (transitions)")
    .filter(RowFilter::In("type", &["WorkflowTransition"]))
    .in_catalogue(),
    TableMapping {
        key_columns: 3,
        ..owned_rows(
            ("workflows", "tracker_id"),
            ("workflow_permissions", "tracker_id"),
            "trackers",
            &[
                required("role_id", ColumnType::Ref("roles")),
                with_default("old_status_id", ColumnType::Integer, 0),
                required("field_name", ColumnType::Text),
                required("rule", ColumnType::Text),
            ],
        )
        .label("workflows (permissions)")
        .filter(RowFilter::In("type", &["WorkflowPermission"]))
        .in_catalogue()
    },
];
