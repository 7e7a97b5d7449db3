//! Deletes projects (compatibility 8).

use super::audit;
use crate::actions::ActionError;
use crate::actions::issues::parents;
use crate::domain::clock::Clock;
use crate::domain::ids::ProjectId;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::projects::deletion;
use crate::store::{Store, StoreError, Write, blobs};
use std::sync::Arc;

/// Maximum number of records that are deleted in one transaction, which takes about 20 ms.
const BATCH_SIZE: i64 = 500;

/// What remains to be deleted after the commit, see [`finish_deletion`].
#[derive(Debug, Default)]
pub struct PendingDeletion {
    /// Projects that are hidden and not deleted yet.
    pub hidden: Vec<ProjectId>,
    /// The digests of the contents of deleted files.
    pub contents: Vec<String>,
}

/// Deletes the project and its descendants with all their records. Large projects are only hidden
/// from everybody, and [`finish_deletion`] deletes them.
///
/// # Errors
/// `NotFound`; `Forbidden` if the viewer may not delete the project or one of its descendants. Only
/// administrators may delete archived projects.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    reference: &str,
    clock: &dyn Clock,
) -> Result<PendingDeletion, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = catalogue
        .project_by(reference)
        .ok_or(ActionError::NotFound)?
        .id;
    let projects = catalogue.subtree(project);
    if !viewer.admin
        && projects
            .iter()
            .any(|id| !viewer.may(Permission::DeleteProject, *id))
    {
        return Err(ActionError::Forbidden);
    }
    audit(db, &catalogue, &projects, "deleted");
    for parent in deletion::detach(db, &projects)? {
        parents::derive_upward(db, Some(parent), parents::Extent::All, clock)?;
    }
    if deletion::is_large(db, &projects, BATCH_SIZE)? {
        deletion::hide(db, &projects)?;
        return Ok(PendingDeletion {
            hidden: projects,
            contents: Vec::new(),
        });
    }
    Ok(PendingDeletion {
        hidden: Vec::new(),
        contents: deletion::delete(db, &projects)?,
    })
}

/// Deletes what remains, in several transactions so that others can write in between, until `stop`
/// returns true.
///
/// # Errors
/// Those of the store.
pub fn finish_deletion(
    store: &Arc<Store>,
    pending: PendingDeletion,
    stop: impl Fn() -> bool,
) -> Result<(), StoreError> {
    delete_contents(store, pending.contents);
    let mut has_more = !pending.hidden.is_empty();
    while has_more && !stop() {
        let projects = pending.hidden.clone();
        let batch = store
            .write_with_reserve(move |db| deletion::delete_batch(db, &projects, BATCH_SIZE))?;
        delete_contents(store, batch.contents);
        has_more = batch.more;
    }
    Ok(())
}

/// Deletes contents that are no longer used. The cleanup job deletes those that could not be
/// deleted now.
fn delete_contents(store: &Arc<Store>, digests: Vec<String>) {
    if let Err(error) = blobs::delete_unused(store, digests) {
        tracing::warn!(error = %error, "contents of a deleted project could not be deleted");
    }
}
