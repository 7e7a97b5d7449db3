//! Projects.

mod archive;
mod bookmark;
mod close;
mod create;
mod delete;
mod find;
mod new;
mod reopen;
mod rules;
mod unarchive;
mod update;

pub use archive::archive;
pub use bookmark::{add_bookmark, remove_bookmark};
pub use close::close;
pub use create::create;
pub use delete::{PendingDeletion, delete, finish_deletion};
pub use find::{find, find_with};
pub use new::{NewProjectOptions, may_create, new};
pub use reopen::reopen;
pub use unarchive::unarchive;
pub use update::update;

use crate::domain::audit::AuditEvent;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::ProjectId;
use crate::store::Write;

/// Records the same change of several projects for the audit log.
fn audit(db: &mut Write<'_>, catalogue: &Catalogue, projects: &[ProjectId], change: &'static str) {
    for project in projects.iter().filter_map(|id| catalogue.projects.get(id)) {
        db.audit(AuditEvent::new("project", project.id, change).with_name(&project.identifier));
    }
}
