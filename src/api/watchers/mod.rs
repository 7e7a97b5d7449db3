//! The watchers of issues, news, forums and wikis (compatibility 6.7 and 13.6).

mod create;
mod delete;
mod list;
mod target;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use target::{OfBoard, OfIssue, OfMessage, OfNews, OfProjectNews, OfWiki, OfWikiPage};
