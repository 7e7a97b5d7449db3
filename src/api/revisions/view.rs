//! JSON and XML of changesets (compatibility 13.3).

use crate::domain::catalogue::Catalogue;
use crate::store::changesets::{ChangedPath, Changeset};
use crate::store::repositories::Repository;
use crate::wire::Fields;

/// A changeset with what belongs to it.
pub struct ChangesetDetails {
    /// The changeset.
    pub changeset: Changeset,
    /// The revisions of its parents.
    pub parents: Vec<String>,
    /// The files that it changes.
    pub files: Vec<ChangedPath>,
    /// Ids and subjects of the issues that it refers to and the viewer may see.
    pub issues: Vec<(i64, String)>,
}

/// Writes the fields of a changeset, in the order of compatibility 13.3.
pub fn changeset(
    w: &mut Fields,
    changeset: &Changeset,
    repository: &Repository,
    catalogue: &Catalogue,
) {
    w.field("revision", &changeset.revision);
    w.reference(
        "project",
        repository.project.0,
        catalogue.project_name(repository.project),
    );
    w.reference("repository", repository.id, &repository.identifier);
    w.field("committer", &changeset.committer);
    w.maybe_reference(
        "user",
        changeset.user.map(|id| {
            (
                id.0,
                catalogue.principal_name(id.into()).unwrap_or_default(),
            )
        }),
    );
    w.field("comments", &changeset.comments);
    w.field("committed_on", changeset.committed_on);
}

/// Writes a changeset with its parents, its files and its issues.
pub fn full_changeset(
    w: &mut Fields,
    details: &ChangesetDetails,
    repository: &Repository,
    catalogue: &Catalogue,
) {
    changeset(w, &details.changeset, repository, catalogue);
    w.items("parents", "parent", &details.parents, |w, parent| {
        w.attribute("revision", parent)
    });
    w.items("files", "file", &details.files, |w, file| {
        w.attribute("action", &file.action);
        w.attribute("path", &file.path);
        if let Some(from_path) = &file.from_path {
            w.attribute("from_path", from_path);
        }
    });
    w.items("issues", "issue", &details.issues, |w, (id, subject)| {
        w.attribute("id", *id);
        w.attribute("subject", subject);
    });
}
