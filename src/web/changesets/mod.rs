//! Pages of repositories: the changesets of a project, and a changeset.

mod list;
mod show;

pub use list::list;
pub use show::show;
