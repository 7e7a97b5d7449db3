//! Issues, their tree and their relations.

use crate::domain::kind::Kind;
use crate::import::field::{How, may, must, number};
use crate::import::noun::{Found, Noun, Takes, patch, rows};

pub const ALL: &[Noun] = &[
    rows(
        "issues",
        "issues",
        &[
            must("project_id", How::Ref("projects")),
            must("tracker_id", How::Ref("trackers")),
            must("status_id", How::Ref("issue_statuses")),
            must("priority_id", How::Ref("enumerations")),
            must("author_id", How::Ref("users")),
            may("assigned_to_id", How::Ref("users")),
            may("category_id", How::Ref("issue_categories")),
            may("fixed_version_id", How::Ref("versions")),
            number("is_private", How::Switch, 0),
            number("done_ratio", How::Whole, 0),
            may("estimated_hours", How::Number),
            may("start_date", How::Date),
            may("due_date", How::Date),
            number("created_on", How::Instant, 0),
            number("updated_on", How::Instant, 0),
            may("closed_on", How::Instant),
            number("lock_version", How::Whole, 0),
            must("subject", How::Text),
            may("description", How::Text),
        ],
    )
    .found(Found::Own(Kind::Issue)),
    patch("issues (parent)", "issues", "id", "issues", &[may("parent_id", How::Ref("issues"))]).takes(Takes::NotNull("parent_id")),
    rows(
        "issue_relations",
        "issue_relations",
        &[
            must("issue_from_id", How::Ref("issues")),
            must("issue_to_id", How::Ref("issues")),
            must("relation_type", How::Text),
            may("delay", How::Whole),
        ],
    ),
];
