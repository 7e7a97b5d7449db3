//! `GET /projects/:id/repository/:repository_id/revisions/:revision` (compatibility 13.3).

use super::view::{self, ChangesetDetails};
use crate::actions::{ActionError, repositories};
use crate::domain::kind::Kind;
use crate::http::{Error, Reply, RequestContext};
use crate::store::repositories::Repository;
use crate::store::{Read, changesets, repositories as stored, search_records};
use std::sync::Arc;

/// Returns the changeset with this revision, or whose revision begins so, with its parents, its
/// files and the issues that it refers to.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let project = request.path_param("id");
    let repository = request.path_param("repository_id");
    let repository = repositories::find_in_project(db, request.viewer(), project, repository)?;
    changeset_reply(request, db, repository, request.path_param("revision"))
}

/// Returns the changeset of the repository.
pub(super) fn changeset_reply(
    request: &RequestContext,
    db: &Read<'_>,
    repository: Repository,
    revision: &str,
) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let changeset = match changesets::find(db, repository.id, revision)? {
        Some(changeset) => Some(changeset),
        None => match stored::find_changeset(
            db,
            viewer,
            repository.project,
            Some(&repository.id.to_string()),
            revision,
        )? {
            Some(found) => changesets::find(db, repository.id, &found.revision)?,
            None => None,
        },
    };
    let changeset = changeset.ok_or_else(|| ActionError::missing(viewer))?;
    let ids = stored::issues_of_changeset(db, changeset.id)?;
    let mut visible = search_records::load(db, viewer, Kind::Issue, &ids)?;
    let details = ChangesetDetails {
        parents: changesets::parents(db, changeset.id)?,
        files: changesets::files(db, changeset.id)?,
        issues: ids
            .iter()
            .filter_map(|id| visible.remove(id).map(|issue| (issue.id, issue.title)))
            .collect(),
        changeset,
    };
    let catalogue = Arc::clone(db.catalogue());
    Ok(Reply::object("changeset", move |w| {
        view::full_changeset(w, &details, &repository, &catalogue)
    }))
}
