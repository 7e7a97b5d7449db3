//! What can be done with files: send one, hang it on a record, describe it, take it away.

mod attach;
mod delete;
mod find;
pub mod quota;
mod rights;
mod update;
mod upload;

pub use attach::{MAX_UPLOADS, NewUpload, added, attach};
pub use delete::{delete, expire, removed};
pub use find::find;
pub use update::{AttachmentChange, update};
pub use upload::{NewFile, max_file_size, upload};
