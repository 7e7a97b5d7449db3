//! Watchers and reactions.

use crate::field::{ColumnType, required};
use crate::table_mapping::{TableMapping, rows};

const RECORDS: &[(&str, &str)] = &[
    ("Issue", "issues"),
    ("News", "news"),
    ("Message", "messages"),
    ("Board", "boards"),
    ("Wiki", "wikis"),
    ("WikiPage", "wiki_pages"),
    ("Project", "projects"),
    ("Journal", "journals"),
    ("Comment", "comments"),
];

pub const ALL: &[TableMapping] = &[
    rows(
        "watchers",
        "watchers",
        &[
            required("watchable_type", ColumnType::Text),
            required(
                "watchable_id",
                ColumnType::PolymorphicRef("watchable_type", RECORDS),
            ),
            required("user_id", ColumnType::Ref("users")),
        ],
    ),
    rows(
        "reactions",
        "reactions",
        &[
            required("reactable_type", ColumnType::Text),
            required(
                "reactable_id",
                ColumnType::PolymorphicRef("reactable_type", RECORDS),
            ),
            required("user_id", ColumnType::Ref("users")),
            required("created_at", ColumnType::Timestamp).to("created_on"),
        ],
    ),
];
