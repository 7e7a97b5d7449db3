//! Pages of wikis: a page, its versions and their differences, the index, and the form for a new
//! page.

mod address;
mod create;
mod diff;
mod history;
mod index;
mod missing;
mod show;

pub use create::{create, edit};
pub use diff::show as diff;
pub use history::list as history;
pub use index::list as index;
pub use show::show;
