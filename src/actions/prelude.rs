//! The names that most use cases need. Everything else is imported by its own path.

pub use crate::{ActionError, Resource};
pub use quarry_domain::access::permission::Permission;
pub use quarry_domain::access::viewer::Viewer;
pub use quarry_domain::catalogue::Catalogue;
pub use quarry_domain::ids::{IssueId, ProjectId, UserId};
pub use quarry_domain::validation::ValidationErrors;
pub use quarry_domain::values::patch::Patch;
pub use quarry_store::{Read, StoreError, Write};
