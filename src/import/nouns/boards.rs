//! Boards and their messages.

use crate::domain::kind::Kind;
use crate::import::field::{How, may, must, number, text};
use crate::import::noun::{Found, Noun, Takes, patch, rows};

pub const ALL: &[Noun] = &[
    rows(
        "boards",
        "boards",
        &[
            must("project_id", How::Ref("projects")),
            must("name", How::Text),
            text("description", ""),
            number("position", How::Whole, 0),
            number("topics_count", How::Whole, 0),
            number("messages_count", How::Whole, 0),
        ],
    ),
    patch("boards (parent)", "boards", "id", "boards", &[may("parent_id", How::Ref("boards"))]).takes(Takes::NotNull("parent_id")),
    rows(
        "messages",
        "messages",
        &[
            must("board_id", How::Ref("boards")),
            may("author_id", How::Ref("users")),
            must("subject", How::Text),
            text("content", ""),
            must("created_on", How::Instant),
            must("updated_on", How::Instant),
            number("locked", How::Switch, 0),
            number("sticky", How::Whole, 0),
            number("replies_count", How::Whole, 0),
        ],
    )
    .found(Found::Own(Kind::Message)),
    patch("messages (parent)", "messages", "id", "messages", &[may("parent_id", How::Ref("messages"))])
        .takes(Takes::NotNull("parent_id"))
        .found(Found::Own(Kind::Message)),
    patch("messages (last reply)", "messages", "id", "messages", &[may("last_reply_id", How::Ref("messages"))])
        .takes(Takes::NotNull("last_reply_id")),
    patch("boards (last message)", "boards", "id", "boards", &[may("last_message_id", How::Ref("messages"))])
        .takes(Takes::NotNull("last_message_id")),
];
