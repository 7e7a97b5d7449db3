//! Repositories and their changesets.

use super::{StoreError, Write, changes};
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::kind::Kind;
use jiff::Timestamp;

/// Adds a repository. `scm` is the name of its kind, such as `Git`.
pub fn insert(db: &mut Write<'_>, project: ProjectId, identifier: &str, scm: &str, is_default: bool) -> Result<i64, StoreError> {
    db.insert(
        "INSERT INTO repositories (project_id, identifier, type, is_default) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &[project.into(), identifier.into(), scm.into(), is_default.into()],
    )
}

/// A changeset to be added.
pub struct NewChangeset<'a> {
    /// Its repository.
    pub repository: i64,
    /// Its name there.
    pub revision: &'a str,
    /// Who committed it, as the repository says.
    pub committer: &'a str,
    /// Who that is here.
    pub user: Option<UserId>,
    /// When it was committed.
    pub committed_on: Timestamp,
    /// Its message.
    pub comments: &'a str,
}

/// Adds a changeset.
pub fn insert_changeset(db: &mut Write<'_>, changeset: &NewChangeset<'_>) -> Result<i64, StoreError> {
    let id: i64 = db.insert(
        "INSERT INTO changesets (repository_id, revision, committer, user_id, committed_on, comments) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
        &[
            changeset.repository.into(),
            changeset.revision.into(),
            changeset.committer.into(),
            changeset.user.into(),
            changeset.committed_on.into(),
            changeset.comments.into(),
        ],
    )?;
    changes::record(db, Kind::Changeset, id)?;
    Ok(id)
}
