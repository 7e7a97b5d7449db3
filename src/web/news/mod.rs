//! Pages of news.

mod list;
mod show;

pub use list::list;
pub use show::show;
