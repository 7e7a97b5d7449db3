//! Repositories, their changesets, and the issues that changesets refer to.

use crate::field::{ColumnType, optional, required, text, with_default};
use crate::secrets;
use crate::table_mapping::{Reindex, TableMapping, owned_rows, rows};
use quarry_domain::index_feed::kind::Kind;

pub const ALL: &[TableMapping] = &[
    rows(
        "repositories",
        "repositories",
        &[
            required("project_id", ColumnType::Ref("projects")),
            text("identifier", ""),
            required("type", ColumnType::Text),
            with_default("is_default", ColumnType::Boolean, 0),
            text("url", ""),
            text("root_url", ""),
            optional("login", ColumnType::Text),
            optional("password", ColumnType::Custom(secrets::seal)).to("password_sealed"),
            optional("path_encoding", ColumnType::Text),
            optional("log_encoding", ColumnType::Text),
            optional("extra_info", ColumnType::Yaml).to("extra_info_json"),
            optional("created_on", ColumnType::Timestamp),
        ],
    ),
    rows(
        "changesets",
        "changesets",
        &[
            required("repository_id", ColumnType::Ref("repositories")),
            required("revision", ColumnType::Text),
            text("committer", ""),
            optional("user_id", ColumnType::Ref("users")),
            required("committed_on", ColumnType::Timestamp),
            text("comments", ""),
            optional("commit_date", ColumnType::Date),
            optional("scmid", ColumnType::Text),
        ],
    )
    .reindexes(Reindex::Own(Kind::Changeset)),
    rows(
        "changes",
        "changed_paths",
        &[
            required("changeset_id", ColumnType::Ref("changesets")),
            required("action", ColumnType::Text),
            required("path", ColumnType::Text),
            optional("from_path", ColumnType::Text),
            optional("from_revision", ColumnType::Text),
            optional("revision", ColumnType::Text),
            optional("branch", ColumnType::Text),
        ],
    ),
    owned_rows(
        ("changeset_parents", "changeset_id"),
        ("changeset_parents", "changeset_id"),
        "changesets",
        &[required("parent_id", ColumnType::Ref("changesets"))],
    ),
    owned_rows(
        ("changesets_issues", "changeset_id"),
        ("changesets_issues", "changeset_id"),
        "changesets",
        &[required("issue_id", ColumnType::Ref("issues"))],
    ),
];
