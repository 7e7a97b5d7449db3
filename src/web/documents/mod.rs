//! Pages of documents.

mod list;
mod show;

pub use list::list;
pub use show::show;
