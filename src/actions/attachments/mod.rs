//! What can be done with files: send one, hang it on a record, describe it, take it away.

mod attach;
mod change;
mod find;
pub mod quota;
mod remove;
mod rights;
mod upload;

pub use attach::{MOST_AT_ONCE, NewUpload, added, attach};
pub use change::{AttachmentChange, change};
pub use find::find;
pub use remove::{expire, remove, removed};
pub use upload::{NewFile, largest, upload};
