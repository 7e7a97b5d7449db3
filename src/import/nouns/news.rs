//! News with its comments, and documents.

use crate::domain::kind::Kind;
use crate::import::field::{How, must, number, text};
use crate::import::noun::{Found, Noun, rows};

pub const ALL: &[Noun] = &[
    rows(
        "news",
        "news",
        &[
            must("project_id", How::Ref("projects")),
            must("author_id", How::Ref("users")),
            text("title", ""),
            text("summary", ""),
            text("description", ""),
            number("created_on", How::Instant, 0),
        ],
    )
    .found(Found::Own(Kind::News)),
    rows(
        "comments",
        "comments",
        &[
            must("commented_type", How::Text),
            must("commented_id", How::RefBy("commented_type", &[("News", "news")])),
            must("author_id", How::Ref("users")),
            text("content", ""),
            must("created_on", How::Instant),
            must("updated_on", How::Instant),
        ],
    ),
    rows(
        "documents",
        "documents",
        &[
            must("project_id", How::Ref("projects")),
            must("category_id", How::Ref("enumerations")),
            text("title", ""),
            text("description", ""),
            number("created_on", How::Instant, 0),
        ],
    )
    .found(Found::Own(Kind::Document)),
];
