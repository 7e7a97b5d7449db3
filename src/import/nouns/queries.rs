//! Saved queries.

use crate::import::field::{How, may, must, number};
use crate::import::noun::{Noun, rows, set};

pub const ALL: &[Noun] = &[
    rows(
        "queries",
        "queries",
        &[
            must("type", How::Text),
            must("name", How::Text),
            may("project_id", How::Ref("projects")),
            may("user_id", How::Ref("users")),
            number("visibility", How::Whole, 0),
            may("description", How::Text),
            may("filters", How::Yaml).to("filters_json"),
            may("column_names", How::Yaml).to("column_names_json"),
            may("sort_criteria", How::Yaml).to("sort_criteria_json"),
            may("group_by", How::Text),
            may("options", How::Yaml).to("options_json"),
        ],
    ),
    set(("queries_roles", "query_id"), ("queries_roles", "query_id"), "queries", &[must("role_id", How::Ref("roles"))]),
];
