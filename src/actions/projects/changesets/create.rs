//! Records changesets, for hooks of repositories (compatibility 13.3).

use super::references::apply_references;
use crate::prelude::*;
use crate::projects::repositories;
use jiff::Timestamp;
use quarry_domain::projects::changeset::{ChangedPath, Changeset};
use quarry_store::accounts::users;
use quarry_store::projects::changesets;

/// Maximum length of revisions and committers in characters.
const MAX_LENGTH: usize = 255;
/// Maximum length of a path in characters.
const MAX_PATH_LENGTH: usize = 4096;
/// Maximum number of parents.
const MAX_PARENTS: usize = 100;
/// What can be done with a file.
const ACTIONS: [&str; 5] = ["A", "M", "D", "R", "C"];

/// The attributes of a changeset in a request.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRevision {
    /// The revision in the repository.
    pub revision: String,
    /// The committer, such as `Alice <alice@example.net>`.
    pub committer: String,
    /// When it was committed; `None` for an invalid time.
    pub committed_on: Option<Timestamp>,
    /// The message.
    pub comments: String,
    /// The revisions of its parents. Unknown ones are ignored.
    pub parents: Vec<String>,
    /// The files that it changes.
    pub files: Vec<ChangedPath>,
}

/// A recorded changeset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedChangeset {
    /// The id of its repository.
    pub repository: i64,
    /// Whether it was not known before.
    pub is_new: bool,
}

/// Records a changeset, links it to the issues that its message refers to, and changes them as the
/// settings say. A revision that is known already changes nothing.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: &str,
    repository: &str,
    new: &NewRevision,
) -> Result<RecordedChangeset, ActionError> {
    let repository = repositories::find_in_project(db, viewer, project, repository)?;
    if !viewer.may(Permission::CommitAccess, repository.project) {
        return Err(ActionError::Forbidden);
    }
    let committed_on = validate(db, new)?;
    if changesets::find(db, repository.id, &new.revision)?.is_some() {
        return Ok(RecordedChangeset {
            repository: repository.id,
            is_new: false,
        });
    }
    let user = find_user(db, repository.id, &new.committer)?;
    let mut changeset = Changeset {
        repository: repository.id,
        revision: new.revision.clone(),
        committer: new.committer.clone(),
        user,
        committed_on,
        comments: new.comments.clone(),
        ..Changeset::default()
    };
    changeset.id = changesets::insert(db, &changeset)?;
    for parent in &new.parents {
        if let Some(parent) =
            changesets::find(db, repository.id, parent)?.filter(|parent| parent.id != changeset.id)
        {
            changesets::insert_parent(db, changeset.id, parent.id)?;
        }
    }
    new.files
        .iter()
        .try_for_each(|file| changesets::insert_file(db, changeset.id, file))?;
    apply_references(db, viewer, repository.project, &changeset)?;
    Ok(RecordedChangeset {
        repository: repository.id,
        is_new: true,
    })
}

/// Validates the attributes, and returns when it was committed.
fn validate(db: &Read<'_>, new: &NewRevision) -> Result<Timestamp, ActionError> {
    let mut errors = ValidationErrors::new();
    errors.require_text("revision", "Revision", &new.revision, MAX_LENGTH);
    // A revision is a part of addresses.
    if new
        .revision
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || "/\\?#%".contains(c))
    {
        errors.add(
            "revision",
            "Revision",
            "is invalid (it contains a character that is not permitted)",
        );
    }
    errors.limit_text("committer", "Committer", &new.committer, MAX_LENGTH);
    errors.limit_text(
        "comments",
        "Comments",
        &new.comments,
        db.catalogue().max_text_length(),
    );
    if new.parents.len() > MAX_PARENTS {
        errors.add(
            "parents",
            "Parents",
            &format!("are too many (maximum is {MAX_PARENTS})"),
        );
    }
    if new
        .files
        .iter()
        .any(|file| !ACTIONS.contains(&file.action.as_str()))
    {
        errors.add(
            "files",
            "Files",
            &format!("is invalid (action is one of {})", ACTIONS.join(", ")),
        );
    }
    if new
        .files
        .iter()
        .flat_map(|file| std::iter::once(&file.path).chain(&file.from_path))
        .any(|path| {
            path.is_empty() || path.chars().count() > MAX_PATH_LENGTH || path.contains('\0')
        })
    {
        errors.add(
            "files",
            "Files",
            &format!("is invalid (a path has 1 to {MAX_PATH_LENGTH} characters)"),
        );
    }
    let Some(committed_on) = new.committed_on else {
        errors.add("committed_on", "Committed on", "is not a valid date");
        return Err(ActionError::Invalid(errors));
    };
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok(committed_on)
}

/// Returns the user who is the committer: as in earlier changesets of the repository, or by login
/// or mail address.
fn find_user(
    db: &Read<'_>,
    repository: i64,
    committer: &str,
) -> Result<Option<UserId>, StoreError> {
    if committer.trim().is_empty() {
        return Ok(None);
    }
    if let Some(user) = changesets::user_of_committer(db, repository, committer)? {
        return Ok(Some(user));
    }
    let (name, mail) = match committer.split_once('<') {
        Some((name, mail)) => (
            name.trim(),
            mail.split('>').next().unwrap_or_default().trim(),
        ),
        None => (committer.trim(), committer.trim()),
    };
    match db.catalogue().user_by_login(name) {
        Some(user) => Ok(Some(user.id)),
        None if mail.contains('@') => users::find_by_mail(db, mail, None),
        None => Ok(None),
    }
}
