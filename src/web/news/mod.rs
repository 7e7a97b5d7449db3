//! Pages of news: lists, and a news item with its comments.

mod list;
mod show;

pub use list::list;
pub use show::show;
