//! Adds files to projects (compatibility 11.9).

use crate::actions::ActionError;
use crate::actions::attachments::{NewUpload, attach};
use crate::domain::attachment::{Attachment, ContainerType};
use crate::domain::ids::{ProjectId, VersionId};
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::text::is_blank;
use crate::domain::viewer::Viewer;
use crate::store::Write;

/// A file in a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewProjectFile {
    /// The upload.
    pub upload: NewUpload,
    /// The version of the project that it belongs to; `None` for the project itself.
    pub version: Option<VersionId>,
}

/// Attaches an upload to a project or to one of its versions, and returns the file.
///
/// # Errors
/// `Forbidden` if the viewer may not manage the files of the project; `Invalid` for a missing or
/// bad token and for a version of another project.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    new: &NewProjectFile,
) -> Result<Attachment, ActionError> {
    if !viewer.may(Permission::ManageFiles, project) {
        return Err(ActionError::Forbidden);
    }
    let is_own = |id: VersionId| {
        db.catalogue()
            .versions
            .get(&id)
            .is_some_and(|version| version.project == project)
    };
    if new.version.is_some_and(|id| !is_own(id)) {
        return Err(ActionError::Invalid(vec!["Version is invalid".to_owned()]));
    }
    if is_blank(&new.upload.token) {
        return Err(ActionError::Invalid(vec![
            "File cannot be blank".to_owned(),
        ]));
    }
    let uploads = std::slice::from_ref(&new.upload);
    let mut attached = match new.version {
        Some(version) => attach(db, viewer, ContainerType::Version, version.0, uploads)?,
        None => attach(db, viewer, Kind::Project, project.0, uploads)?,
    };
    attached.pop().ok_or(ActionError::NotFound)
}
