//! Files in the data folder: the contents of attachments, and thumbnails of pictures.

pub(crate) mod stored_files;

pub mod blobs;
pub mod thumbnails;
