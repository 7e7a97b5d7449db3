//! Statuses and trackers.

use crate::import::field::{How, may, must, number};
use crate::import::noun::{Noun, rows};

pub const ALL: &[Noun] = &[
    rows(
        "issue_statuses",
        "issue_statuses",
        &[
            must("name", How::Text),
            number("position", How::Whole, 0),
            number("is_closed", How::Switch, 0),
            may("description", How::Text),
            may("default_done_ratio", How::Whole),
        ],
    )
    .names(),
    rows(
        "trackers",
        "trackers",
        &[
            must("name", How::Text),
            number("position", How::Whole, 0),
            must("default_status_id", How::Ref("issue_statuses")),
            may("description", How::Text),
            number("is_in_roadmap", How::Switch, 1),
            number("fields_bits", How::Whole, 0),
            number("private_by_default", How::Switch, 0),
        ],
    )
    .names(),
];
