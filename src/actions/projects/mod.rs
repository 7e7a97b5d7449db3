//! What can be done with projects.

mod archive;
mod close;
mod create;
mod delete;
mod find;
mod reopen;
mod rules;
mod unarchive;
mod update;

pub use archive::archive;
pub use close::close;
pub use create::create;
pub use delete::{Unfinished, delete, finish_removing};
pub use find::find;
pub use reopen::reopen;
pub use unarchive::unarchive;
pub use update::update;
