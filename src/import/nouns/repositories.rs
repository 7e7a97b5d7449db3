//! Repositories, their changesets, and the issues that those are about.

use crate::domain::kind::Kind;
use crate::import::field::{How, may, must, number, text};
use crate::import::noun::{Found, Noun, rows, set};
use crate::import::seal;

pub const ALL: &[Noun] = &[
    rows(
        "repositories",
        "repositories",
        &[
            must("project_id", How::Ref("projects")),
            text("identifier", ""),
            must("type", How::Text),
            number("is_default", How::Switch, 0),
            text("url", ""),
            text("root_url", ""),
            may("login", How::Text),
            may("password", How::Made(seal::sealed)).to("password_sealed"),
            may("path_encoding", How::Text),
            may("log_encoding", How::Text),
            may("extra_info", How::Yaml).to("extra_info_json"),
            may("created_on", How::Instant),
        ],
    ),
    rows(
        "changesets",
        "changesets",
        &[
            must("repository_id", How::Ref("repositories")),
            must("revision", How::Text),
            text("committer", ""),
            may("user_id", How::Ref("users")),
            must("committed_on", How::Instant),
            text("comments", ""),
            may("commit_date", How::Date),
            may("scmid", How::Text),
        ],
    )
    .found(Found::Own(Kind::Changeset)),
    rows(
        "changes",
        "changed_paths",
        &[
            must("changeset_id", How::Ref("changesets")),
            must("action", How::Text),
            must("path", How::Text),
            may("from_path", How::Text),
            may("from_revision", How::Text),
            may("revision", How::Text),
            may("branch", How::Text),
        ],
    ),
    set(
        ("changeset_parents", "changeset_id"),
        ("changeset_parents", "changeset_id"),
        "changesets",
        &[must("parent_id", How::Ref("changesets"))],
    ),
    set(
        ("changesets_issues", "changeset_id"),
        ("changesets_issues", "changeset_id"),
        "changesets",
        &[must("issue_id", How::Ref("issues"))],
    ),
];
