//! Versions and categories, and what projects have as their defaults of them.

use crate::import::field::{How, may, must, number, text};
use crate::import::noun::{Noun, Takes, patch, rows};

pub const ALL: &[Noun] = &[
    rows(
        "versions",
        "versions",
        &[
            must("project_id", How::Ref("projects")),
            must("name", How::Text),
            text("description", ""),
            text("status", "open"),
            may("effective_date", How::Date).to("due_date"),
            text("sharing", "none"),
            may("wiki_page_title", How::Text),
            number("created_on", How::Instant, 0),
            may("updated_on", How::Instant),
        ],
    )
    .names(),
    rows(
        "issue_categories",
        "issue_categories",
        &[must("project_id", How::Ref("projects")), must("name", How::Text), may("assigned_to_id", How::Ref("users"))],
    )
    .names(),
    patch("projects (version)", "projects", "id", "projects", &[may("default_version_id", How::Ref("versions"))])
        .takes(Takes::NotNull("default_version_id"))
        .names(),
    patch("projects (assignee)", "projects", "id", "projects", &[may("default_assigned_to_id", How::Ref("users"))])
        .takes(Takes::NotNull("default_assigned_to_id"))
        .names(),
];
