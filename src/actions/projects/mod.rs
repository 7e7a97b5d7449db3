//! Projects.

mod archive;
mod bookmark;
mod close;
mod create;
mod delete;
mod find;
mod reopen;
mod rules;
mod unarchive;
mod update;

pub use archive::archive;
pub use bookmark::{add_bookmark, remove_bookmark};
pub use close::close;
pub use create::create;
pub use delete::{PendingDeletion, delete, finish_deletion};
pub use find::{find, find_with};
pub use reopen::reopen;
pub use unarchive::unarchive;
pub use update::update;
