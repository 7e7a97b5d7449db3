//! The use cases. A use case checks permission and rules, writes the records, the journal and the
//! change record, in one transaction. API, pages, commands and tests call the same functions; the
//! importers write rows as they were, with their ids and times. Invariant: a failed action changes
//! nothing. May import: `domain`, `store`. Not `search`: actions only record changes for the
//! indexer.

mod error;
pub mod images;
mod prelude;
mod resource;

pub mod accounts;
pub mod administration;
pub mod content;
pub mod issues;
pub mod notices;
pub mod projects;
pub mod queries;

pub use error::{ActionError, OUTDATED};
pub use resource::Resource;
