//! Messages of forums: topics and replies.

mod create;
mod delete;
mod find;
mod update;

pub use create::{MessageChange, create_topic, reply};
pub use delete::delete;
pub use find::{MessageInBoard, find};
pub use update::update;
