//! Deleting a project (compatibility 8).

use crate::actions::ActionError;
use crate::actions::issues::parents;
use crate::domain::clock::Clock;
use crate::domain::ids::ProjectId;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::projects::deletion;
use crate::store::{Store, StoreError, Write, blobs};
use std::sync::Arc;

/// How many records go in one transaction: some 20 ms of work, for which others wait.
const AT_ONCE: i64 = 500;

/// What is left to be done once a removal is committed; see [`finish_removing`].
#[derive(Debug, Default)]
pub struct Unfinished {
    /// Projects that are hidden and not yet gone.
    pub hidden: Vec<ProjectId>,
    /// Contents of files that are gone.
    pub contents: Vec<String>,
}

/// Deletes the project and everything below it with all that is in them. A large one is only hidden from everybody:
/// [`finish_removing`] then does the rest.
///
/// # Errors
/// `NotFound`; `Forbidden` when the viewer may not delete the project, or not one below it. Only administrators may delete what is
/// archived.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, reference: &str, clock: &dyn Clock) -> Result<Unfinished, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = catalogue.project_by(reference).ok_or(ActionError::NotFound)?.id;
    let doomed = catalogue.subtree(project);
    if !viewer.admin && doomed.iter().any(|id| !viewer.may(Permission::DeleteProject, *id)) {
        return Err(ActionError::Forbidden);
    }
    for above in deletion::detach(db, &doomed)? {
        parents::derive_upward(db, Some(above), parents::Reach::Top, clock)?;
    }
    if deletion::is_large(db, &doomed, AT_ONCE)? {
        deletion::hide(db, &doomed)?;
        return Ok(Unfinished { hidden: doomed, contents: Vec::new() });
    }
    Ok(Unfinished { hidden: Vec::new(), contents: deletion::delete(db, &doomed)? })
}

/// Removes what is left, each part in a transaction of its own, so that others can write in between; until nothing is left or
/// `stop` says so.
///
/// # Errors
/// What the store says.
pub fn finish_removing(store: &Arc<Store>, unfinished: Unfinished, stop: impl Fn() -> bool) -> Result<(), StoreError> {
    give_up(store, unfinished.contents);
    let mut more = !unfinished.hidden.is_empty();
    while more && !stop() {
        let projects = unfinished.hidden.clone();
        let left = store.write(move |db| deletion::delete_batch(db, &projects, AT_ONCE))?;
        give_up(store, left.contents);
        more = left.more;
    }
    Ok(())
}

/// Contents that stay for now are removed when the folder is tidied.
fn give_up(store: &Arc<Store>, files: Vec<String>) {
    if let Err(error) = blobs::delete_unused(store, files) {
        tracing::warn!(error = %error, "contents of a project that is gone could not be removed");
    }
}
