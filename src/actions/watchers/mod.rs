//! Who follows what happens with an issue.

mod create;
mod delete;

pub use create::create;
pub use delete::delete;
