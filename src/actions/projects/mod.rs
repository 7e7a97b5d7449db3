//! What can be done with projects.

mod archive;
mod change;
mod close;
mod create;
mod find;
mod remove;
mod reopen;
mod rules;
mod unarchive;

pub use archive::archive;
pub use change::change;
pub use close::close;
pub use create::create;
pub use find::find;
pub use remove::{Unfinished, finish_removing, remove};
pub use reopen::reopen;
pub use unarchive::unarchive;
