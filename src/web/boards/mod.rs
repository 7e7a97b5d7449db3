//! Pages of forums: the boards of a project, the topics of a board, and a topic with its replies.

mod list;
mod topic;
mod topics;

pub use list::list;
pub use topic::show;
pub use topics::list as topics;
