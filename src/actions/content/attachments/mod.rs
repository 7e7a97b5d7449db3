//! Attachments: upload, attach to a record, update, delete, thumbnails.

mod attach;
mod change;
pub mod quota;
mod rights;
mod thumbnail;
mod upload;

pub use attach::{MAX_UPLOADS, NewUpload, added_detail, attach};
pub use change::{AttachmentChange, delete, expire, removed_detail, update};
pub use rights::{Rights, find, find_rights};
pub use thumbnail::{Thumbnail, can_be_scaled};
pub use upload::{NewFile, max_file_size, upload};
