//! Attachments: upload, attach to a record, update, delete, thumbnails.

mod attach;
mod delete;
mod find;
pub mod quota;
mod rights;
mod thumbnail;
mod update;
mod upload;

pub use attach::{MAX_UPLOADS, NewUpload, added_detail, attach};
pub use delete::{delete, expire, removed_detail};
pub use find::find;
pub use thumbnail::{Thumbnail, can_be_scaled};
pub use update::{AttachmentChange, update};
pub use upload::{NewFile, max_file_size, upload};
