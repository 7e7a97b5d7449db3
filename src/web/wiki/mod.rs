//! Pages of wikis: a page, its versions and their differences, and the index.

mod address;
mod diff;
mod history;
mod index;
mod show;

pub use diff::show as diff;
pub use history::list as history;
pub use index::list as index;
pub use show::show;
