//! Pages of forums.

mod list;
mod topic;
mod topics;

pub use list::list;
pub use topic::show;
pub use topics::list as topics;
