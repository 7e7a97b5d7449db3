//! Projects: their parents, enabled modules and trackers, and the bookmarks of users.

use super::users::BOOKMARKS;
use crate::field::{ColumnType, optional, required, with_default};
use crate::table_mapping::{Reindex, RowFilter, TableMapping, owned_rows, patch, rows};
use quarry_domain::index_feed::kind::Kind;

pub const ALL: &[TableMapping] = &[
    rows(
        "projects",
        "projects",
        &[
            required("name", ColumnType::Text),
            required("identifier", ColumnType::Text),
            optional("description", ColumnType::Text),
            optional("homepage", ColumnType::Text),
            with_default("is_public", ColumnType::Boolean, 1),
            with_default("inherit_members", ColumnType::Boolean, 0),
            with_default("status", ColumnType::Integer, 1),
            with_default("created_on", ColumnType::Timestamp, 0),
            with_default("updated_on", ColumnType::Timestamp, 0),
        ],
    )
    .reindexes(Reindex::Own(Kind::Project))
    .in_catalogue(),
    patch(
        "projects (parent)",
        "projects",
        "id",
        "projects",
        &[optional("parent_id", ColumnType::Ref("projects"))],
    )
    .filter(RowFilter::NotNull("parent_id"))
    .in_catalogue(),
    owned_rows(
        ("enabled_modules", "project_id"),
        ("enabled_modules", "project_id"),
        "projects",
        &[
            required("name", ColumnType::Text),
            required("id", ColumnType::Integer),
        ],
    )
    .identified_by(1)
    .in_catalogue(),
    owned_rows(
        ("projects_trackers", "project_id"),
        ("project_trackers", "project_id"),
        "projects",
        &[required("tracker_id", ColumnType::Ref("trackers"))],
    )
    .in_catalogue(),
    BOOKMARKS,
];
