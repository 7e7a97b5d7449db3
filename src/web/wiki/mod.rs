//! Pages of wikis.

mod address;
mod diff;
mod history;
mod index;
mod show;

pub use diff::show as diff;
pub use history::list as history;
pub use index::list as index;
pub use show::show;
