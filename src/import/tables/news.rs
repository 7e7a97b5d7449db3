//! News, comments on news, and documents.

use crate::field::{ColumnType, optional, required, text, with_default};
use crate::table_mapping::{Reindex, TableMapping, rows};
use quarry_domain::index_feed::kind::Kind;

pub const ALL: &[TableMapping] = &[
    rows(
        "news",
        "news",
        &[
            required("project_id", ColumnType::Ref("projects")),
            required("author_id", ColumnType::Ref("users")),
            text("title", ""),
            optional("summary", ColumnType::Text),
            text("description", ""),
            with_default("created_on", ColumnType::Timestamp, 0),
        ],
    )
    .reindexes(Reindex::Own(Kind::News)),
    rows(
        "comments",
        "comments",
        &[
            required("commented_type", ColumnType::Text),
            required(
                "commented_id",
                ColumnType::PolymorphicRef("commented_type", &[("News", "news")]),
            ),
            required("author_id", ColumnType::Ref("users")),
            text("content", ""),
            required("created_on", ColumnType::Timestamp),
            required("updated_on", ColumnType::Timestamp),
        ],
    ),
    rows(
        "documents",
        "documents",
        &[
            required("project_id", ColumnType::Ref("projects")),
            required("category_id", ColumnType::Ref("enumerations")),
            text("title", ""),
            optional("description", ColumnType::Text),
            with_default("created_on", ColumnType::Timestamp, 0),
        ],
    )
    .reindexes(Reindex::Own(Kind::Document)),
];
