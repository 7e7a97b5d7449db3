//! Messages of forums: topics and their replies (compatibility 13.2).
//!
//! Invariants: a reply belongs to a topic, never to another reply, and is on the board of its
//! topic. Who may not see the messages of a project learns nothing about one.

mod create;
mod delete;
mod find;
mod update;

pub use create::{MessageChange, create_reply, create_topic};
pub use delete::delete;
pub use find::{MessageInBoard, find};
pub use update::update;
