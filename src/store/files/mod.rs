//! The contents of attachments, and thumbnails of pictures.

pub(crate) mod content;
pub(crate) mod contents;
pub(crate) mod pieces;
pub(crate) mod staged;
pub(crate) mod stored_files;

pub mod blobs;
mod sizes;
pub mod thumbnails;

pub use content::Content;
