//! Journals of issues and their details.

use crate::field::{ColumnType, optional, required, with_default};
use crate::table_mapping::{Reindex, RowFilter, TableMapping, rows};
use quarry_domain::index_feed::kind::Kind;

pub const ALL: &[TableMapping] = &[
    rows(
        "journals",
        "journals",
        &[
            required("journalized_id", ColumnType::Ref("issues")).to("issue_id"),
            required("user_id", ColumnType::Ref("users")),
            with_default("private_notes", ColumnType::Boolean, 0),
            required("created_on", ColumnType::Timestamp),
            optional("notes", ColumnType::Text),
            optional("updated_on", ColumnType::Timestamp),
            optional("updated_by_id", ColumnType::Ref("users")),
        ],
    )
    .filter(RowFilter::In("journalized_type", &["Issue"]))
    .reindexes(Reindex::Parent(Kind::Issue, "issue_id")),
    rows(
        "journal_details",
        "journal_details",
        &[
            required("journal_id", ColumnType::Ref("journals")),
            required("property", ColumnType::Text),
            required("prop_key", ColumnType::Text).to("name"),
            optional("old_value", ColumnType::Text),
            optional("value", ColumnType::Text).to("new_value"),
        ],
    ),
];
