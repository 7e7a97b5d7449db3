//! Projects.

pub mod categories;
mod change;
pub mod changesets;
mod copy;
mod create;
mod find;
mod options;
pub mod project_activities;
pub mod repositories;
mod rules;
mod status;
pub mod versions;

pub use change::{PendingDeletion, delete, finish_deletion, rename, update};
pub use copy::{CopiedParts, create_copy};
pub use create::{create, may_create};
pub use find::{add_bookmark, remove_bookmark};
pub use find::{find, find_with};
pub use options::{ProjectOptions, edit, new};
pub(crate) use rules::creator_role;
pub use status::{archive, close, reopen, unarchive};

use crate::prelude::*;
use quarry_domain::administration::audit::{AuditEvent, RecordType};

/// Records the same change of several projects for the audit log.
fn audit(db: &mut Write<'_>, catalogue: &Catalogue, projects: &[ProjectId], change: &'static str) {
    for project in projects.iter().filter_map(|id| catalogue.projects.get(id)) {
        db.audit(
            AuditEvent::new(RecordType::Project, project.id, change).with_name(&project.identifier),
        );
    }
}
