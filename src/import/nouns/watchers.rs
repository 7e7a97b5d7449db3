//! Who watches what, and who reacted to what.

use crate::import::field::{How, must};
use crate::import::noun::{Noun, rows};

const RECORDS: &[(&str, &str)] = &[
    ("Issue", "issues"),
    ("News", "news"),
    ("Message", "messages"),
    ("Board", "boards"),
    ("Wiki", "wikis"),
    ("WikiPage", "wiki_pages"),
    ("Project", "projects"),
    ("Journal", "journals"),
    ("Comment", "comments"),
];

pub const ALL: &[Noun] = &[
    rows(
        "watchers",
        "watchers",
        &[
            must("watchable_type", How::Text),
            must("watchable_id", How::RefBy("watchable_type", RECORDS)),
            must("user_id", How::Ref("users")),
        ],
    ),
    rows(
        "reactions",
        "reactions",
        &[
            must("reactable_type", How::Text),
            must("reactable_id", How::RefBy("reactable_type", RECORDS)),
            must("user_id", How::Ref("users")),
            must("created_at", How::Instant).to("created_on"),
        ],
    ),
];
