//! Pages of documents: those of a project, and one with its files.

mod list;
mod show;

pub use list::list;
pub use show::show;
