//! Boards and their messages.

use crate::field::{ColumnType, optional, required, text, with_default};
use crate::table_mapping::{Reindex, RowFilter, TableMapping, patch, rows};
use quarry_domain::index_feed::kind::Kind;

pub const ALL: &[TableMapping] = &[
    rows(
        "boards",
        "boards",
        &[
            required("project_id", ColumnType::Ref("projects")),
            required("name", ColumnType::Text),
            text("description", ""),
            with_default("position", ColumnType::Integer, 0),
            with_default("topics_count", ColumnType::Integer, 0),
            with_default("messages_count", ColumnType::Integer, 0),
        ],
    ),
    patch(
        "boards (parent)",
        "boards",
        "id",
        "boards",
        &[optional("parent_id", ColumnType::Ref("boards"))],
    )
    .filter(RowFilter::NotNull("parent_id")),
    rows(
        "messages",
        "messages",
        &[
            required("board_id", ColumnType::Ref("boards")),
            optional("author_id", ColumnType::Ref("users")),
            required("subject", ColumnType::Text),
            text("content", ""),
            required("created_on", ColumnType::Timestamp),
            required("updated_on", ColumnType::Timestamp),
            with_default("locked", ColumnType::Boolean, 0),
            with_default("sticky", ColumnType::Integer, 0),
            with_default("replies_count", ColumnType::Integer, 0),
        ],
    )
    .reindexes(Reindex::Own(Kind::Message)),
    patch(
        "messages (parent)",
        "messages",
        "id",
        "messages",
        &[optional("parent_id", ColumnType::Ref("messages"))],
    )
    .filter(RowFilter::NotNull("parent_id"))
    .reindexes(Reindex::Own(Kind::Message)),
    patch(
        "messages (last reply)",
        "messages",
        "id",
        "messages",
        &[optional("last_reply_id", ColumnType::Ref("messages"))],
    )
    .filter(RowFilter::NotNull("last_reply_id")),
    patch(
        "boards (last message)",
        "boards",
        "id",
        "boards",
        &[optional("last_message_id", ColumnType::Ref("messages"))],
    )
    .filter(RowFilter::NotNull("last_message_id")),
];
