//! Time entries.

use crate::import::field::{How, may, must};
use crate::import::noun::{Noun, rows};

pub const ALL: &[Noun] = &[rows(
    "time_entries",
    "time_entries",
    &[
        must("project_id", How::Ref("projects")),
        may("issue_id", How::Ref("issues")),
        must("user_id", How::Ref("users")),
        may("author_id", How::Ref("users")),
        must("activity_id", How::Ref("enumerations")),
        must("hours", How::Number),
        may("comments", How::Text),
        must("spent_on", How::Date),
        must("created_on", How::Instant),
        must("updated_on", How::Instant),
    ],
)];
