//! Further mail addresses of users, for administrators (compatibility 14). May import: `domain`,
//! `store`.

mod create;
mod delete;
mod find;
mod update;

pub use create::create;
pub use delete::delete;
pub use find::{find, list};
pub use update::update;
