//! Saved queries over issues (compatibility 13.7), and saved searches.
//!
//! Invariants: a query for roles is saved with at least one, and has none only after they are
//! deleted; the default query of a project is a public one of the project or for all projects. What
//! an import stored and is not known here stays until a request names it. May import: `domain`,
//! `store`.

mod change;
mod order;
mod save;
mod search;

pub use change::QueryChange;
pub use save::{
    create, delete, find, find_project_default, find_user_default, set_user_default, update,
};
