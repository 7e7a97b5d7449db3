//! Priorities, activities and categories of documents; projects may have their own.

use crate::import::field::{How, may, must, number};
use crate::import::noun::{Noun, Takes, patch, rows};

pub const ALL: &[Noun] = &[
    rows(
        "enumerations",
        "enumerations",
        &[
            must("type", How::Text),
            must("name", How::Text),
            number("position", How::Whole, 0),
            number("is_default", How::Switch, 0),
            number("active", How::Switch, 1),
            may("project_id", How::Ref("projects")),
            may("position_name", How::Text),
        ],
    )
    .takes(Takes::OneOf("type", &["IssuePriority", "TimeEntryActivity", "DocumentCategory"]))
    .names(),
    patch("enumerations (parent)", "enumerations", "id", "enumerations", &[may("parent_id", How::Ref("enumerations"))])
        .takes(Takes::NotNull("parent_id"))
        .names(),
];
