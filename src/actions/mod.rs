//! What can be done?
//!
//! A use case is permission + rule + write + journal + change, in one transaction, and reads like one sentence. REST, pages,
//! importers and tests call the same functions. Invariant: what is refused leaves no trace.
//! May import: `domain`, `store`, `markup`. Searching is not known here: actions only record that something changed.

mod error;

pub mod accounts;
pub mod attachments;
pub mod categories;
pub mod install;
pub mod issues;
pub mod journals;
pub mod passwords;
pub mod projects;
pub mod relations;
pub mod sessions;
pub mod settings;
pub mod sign_in;
pub mod time_entries;
pub mod two_factor;
pub mod watchers;
pub mod wiki;

pub use error::ActionError;
