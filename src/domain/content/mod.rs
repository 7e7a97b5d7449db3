//! What people write beside issues: wiki pages, news, documents, messages and changesets, with their
//! files.

pub mod attachment;
pub mod board;
pub mod comment;
pub mod commit_message;
pub mod document;
pub mod message;
pub mod news;
pub mod reactable;
pub mod thumbnail;
pub mod watchable;
pub mod wiki;
