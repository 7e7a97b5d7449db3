//! Updates and deletes projects (compatibility 8).

use super::audit;
use super::find::find_permitted;
use super::rules::{self, SettableAttributes};
use crate::issues::parents;
use crate::prelude::*;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::projects::project::{Project, ProjectChange};
use quarry_store::Store;
use quarry_store::administration::custom_fields;
use quarry_store::files::blobs;
use quarry_store::projects;
use quarry_store::projects::deletion;
use quarry_store::projects::versions;
use std::sync::Arc;

/// Sets the attributes that the viewer may set, and returns the id of the project. Writes nothing
/// if nothing changes (compatibility 2.2).
///
/// # Errors
/// `NotFound`, also if a tracker or custom field does not exist; `Forbidden` without the
/// permission, and in a closed or archived project; `Invalid` with the messages of compatibility 8.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    reference: &str,
    change: &ProjectChange,
) -> Result<ProjectId, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = find_permitted(&catalogue, viewer, reference, Permission::EditProject)?;
    let settable = SettableAttributes {
        publicity: viewer.may(Permission::SelectProjectPublicity, before.id),
        modules: viewer.may(Permission::SelectProjectModules, before.id),
    };
    let mut after = rules::apply(&catalogue, viewer, before, change, &settable)?;
    let issue_fields = rules::issue_fields(&catalogue, viewer, before.id, &change.issue_fields)?;
    let old = custom_fields::find_values(db, Customized::Project, before.id.0)?;
    let mut values = old.clone();
    let fields = rules::fields(&catalogue, viewer, before.id);
    values.apply(&fields, &change.values);

    let mut errors = after.validate(None);
    rules::validate(&catalogue, viewer, (before, &after), change, &mut errors);
    rules::validate_default_query(db, (before, &after), &mut errors)?;
    if values != old {
        rules::validate_values(&catalogue, before.id, &fields, (&old, &values), &mut errors);
    }
    errors.into_result().map_err(ActionError::Invalid)?;

    if after == *before && values == old && issue_fields.is_none() {
        return Ok(before.id);
    }
    // Modules, trackers and fields of issues are no attributes of the project itself (compatibility
    // 8).
    let own_attributes = Project {
        modules: before.modules,
        trackers: before.trackers.clone(),
        ..after.clone()
    };
    if own_attributes != *before || values != old {
        after.updated_on = db.now();
    }
    projects::update(db, &after)?;
    custom_fields::update(db, Customized::Project, before.id.0, &values)?;
    if after.modules != before.modules {
        let requested = change
            .modules
            .value()
            .into_iter()
            .flatten()
            .filter_map(|name| name.parse().ok());
        projects::enable_modules(
            db,
            before.id,
            requested.filter(|module| after.modules.contains(*module)),
        )?;
        projects::set_modules(db, before.id, after.modules)?;
    }
    if after.trackers != before.trackers {
        projects::set_trackers(db, before.id, &after.trackers)?;
    }
    if let Some(fields) = issue_fields {
        projects::set_issue_fields(db, before.id, &fields)?;
    }
    if after.is_public != before.is_public {
        audit(
            db,
            &catalogue,
            &[before.id],
            if after.is_public { "public" } else { "private" },
        );
    }
    if after.inherit_members != before.inherit_members {
        audit(
            db,
            &catalogue,
            &[before.id],
            if after.inherit_members {
                "inherits members"
            } else {
                "inherits no members"
            },
        );
    }
    if after.parent != before.parent {
        audit(db, &catalogue, &[before.id], "moved");
        detach_versions(db, &catalogue, &after)?;
    }
    Ok(before.id)
}

/// Maximum number of former identifiers of a project, none of which another project can take.
const MAX_FORMER_IDENTIFIERS: usize = 20;

/// Changes the identifier of a project. Addresses with the former one keep working, and no other
/// project can take it.
///
/// # Errors
/// `Forbidden` without the permission, and in a closed or archived project; `Invalid` with the
/// messages of compatibility 8.
pub fn rename(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: ProjectId,
    identifier: &str,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = catalogue.projects.get(&id).ok_or(ActionError::NotFound)?;
    if !viewer.may(Permission::EditProject, id) {
        return Err(ActionError::Forbidden);
    }
    if project.identifier == identifier {
        return Ok(());
    }
    let owner = catalogue.identifiers.get(identifier);
    let renamed = Project {
        identifier: identifier.to_owned(),
        ..project.clone()
    };
    let mut errors = ValidationErrors::new();
    renamed
        .validate(Some(owner.is_some_and(|owner| *owner != id)))
        .into_iter()
        .filter(|error| error.is_about("identifier"))
        .for_each(|error| errors.push(error));
    let identifiers = catalogue.identifiers.values();
    let is_former = owner.is_some();
    if !is_former && identifiers.filter(|owner| **owner == id).count() > MAX_FORMER_IDENTIFIERS {
        errors.add(
            "identifier",
            "Identifier",
            &format!("has been changed too often (maximum is {MAX_FORMER_IDENTIFIERS} times)"),
        );
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    projects::set_identifier(db, id, &project.identifier, identifier)?;
    let details = format!("was {}", project.identifier);
    db.audit(
        AuditEvent::new(RecordType::Project, id, "renamed")
            .with_name(identifier)
            .with_details(&details),
    );
    Ok(())
}

/// Clears the versions that are no longer shared after a move in the tree.
fn detach_versions(
    db: &mut Write<'_>,
    catalogue: &Catalogue,
    after: &Project,
) -> Result<(), StoreError> {
    let mut tree = catalogue.clone();
    tree.projects.insert(after.id, after.clone());
    versions::detach_unshared(db, &tree)
}

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
        parents::derive_upward(db, Some(parent), parents::Extent::All)?;
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
