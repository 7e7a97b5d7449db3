//! Projects: the tree, what is switched on, and who has bookmarked them.

use super::users::BOOKMARKS;
use crate::domain::kind::Kind;
use crate::import::field::{How, may, must, number, text};
use crate::import::noun::{Found, Noun, Takes, patch, rows, set};

pub const ALL: &[Noun] = &[
    rows(
        "projects",
        "projects",
        &[
            must("name", How::Text),
            must("identifier", How::Text),
            may("description", How::Text),
            text("homepage", ""),
            number("is_public", How::Switch, 1),
            number("inherit_members", How::Switch, 0),
            number("status", How::Whole, 1),
            number("created_on", How::Instant, 0),
            number("updated_on", How::Instant, 0),
            may("default_issue_query_id", How::Whole),
        ],
    )
    .found(Found::Own(Kind::Project))
    .names(),
    patch("projects (parent)", "projects", "id", "projects", &[may("parent_id", How::Ref("projects"))])
        .takes(Takes::NotNull("parent_id"))
        .names(),
    set(("enabled_modules", "project_id"), ("enabled_modules", "project_id"), "projects", &[must("name", How::Text)]).names(),
    set(("projects_trackers", "project_id"), ("project_trackers", "project_id"), "projects", &[must("tracker_id", How::Ref("trackers"))])
        .names(),
    BOOKMARKS,
];
