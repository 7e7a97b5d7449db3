//! Journals of issues, and what changed in each.

use crate::domain::kind::Kind;
use crate::import::field::{How, may, must, number};
use crate::import::noun::{Found, Noun, Takes, rows};

pub const ALL: &[Noun] = &[
    rows(
        "journals",
        "journals",
        &[
            must("journalized_id", How::Ref("issues")).to("issue_id"),
            must("user_id", How::Ref("users")),
            number("private_notes", How::Switch, 0),
            must("created_on", How::Instant),
            may("notes", How::Text),
            may("updated_on", How::Instant),
            may("updated_by_id", How::Ref("users")),
        ],
    )
    .takes(Takes::OneOf("journalized_type", &["Issue"]))
    .found(Found::Of(Kind::Issue, "issue_id")),
    rows(
        "journal_details",
        "journal_details",
        &[
            must("journal_id", How::Ref("journals")),
            must("property", How::Text),
            must("prop_key", How::Text).to("name"),
            may("old_value", How::Text),
            may("value", How::Text).to("new_value"),
        ],
    ),
];
