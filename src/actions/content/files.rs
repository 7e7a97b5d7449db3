//! The files of projects and their versions (compatibility 11.9).

use crate::content::attachments::{NewUpload, attach};
use crate::notices;
use crate::prelude::*;
use quarry_domain::content::attachment::{Attachment, ContainerType};
use quarry_domain::ids::VersionId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::stable_sort::StableSort;
use quarry_domain::values::text::is_blank;
use quarry_store::content::attachments;

/// Maximum number of files in the list of a project, which has no pages.
pub const MAX_FILES: usize = 5_000;

/// Returns the files of a project, then those of its versions, newest version first; each by name.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
) -> Result<Vec<Attachment>, ActionError> {
    if !viewer.may(Permission::ViewFiles, project) || !viewer.may(Permission::ViewProject, project)
    {
        return Err(ActionError::Forbidden);
    }
    let mut versions: Vec<i64> = db
        .catalogue()
        .versions
        .values()
        .filter(|version| version.project == project)
        .map(|version| version.id.0)
        .collect();
    versions.stable_sort_by_key(|id| std::cmp::Reverse(*id));
    let mut of_project = attachments::list_by_container(db, Kind::Project, &[project.0])?;
    let mut of_versions = attachments::list_by_container(db, ContainerType::Version, &versions)?;
    let of_versions = versions.iter().filter_map(|id| of_versions.remove(id));
    let mut files: Vec<Attachment> = Vec::new();
    for mut of_record in of_project.remove(&project.0).into_iter().chain(of_versions) {
        of_record.stable_sort_by_key(|file| (file.filename.to_lowercase(), file.id));
        files.append(&mut of_record);
    }
    files.truncate(MAX_FILES);
    Ok(files)
}

/// A file in a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewProjectFile {
    pub upload: NewUpload,
    /// The version of the project that it belongs to; `None` for the project itself.
    pub version: Option<VersionId>,
}

/// Attaches an upload to a project or to one of its versions, and returns the file.
///
/// # Errors
/// `Invalid` for a missing or bad token and for a version of another project.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    new: &NewProjectFile,
) -> Result<Attachment, ActionError> {
    if !viewer.may(Permission::ManageFiles, project) {
        return Err(ActionError::Forbidden);
    }
    if new.version.is_some_and(|id| {
        db.catalogue()
            .versions
            .get(&id)
            .is_none_or(|version| version.project != project)
    }) {
        return Err(ActionError::invalid_attribute(
            "version_id",
            "Version",
            "is invalid",
        ));
    }
    if is_blank(&new.upload.token) {
        return Err(ActionError::invalid_attribute(
            "token",
            "File",
            "cannot be blank",
        ));
    }
    let uploads = std::slice::from_ref(&new.upload);
    let mut attached = match new.version {
        Some(version) => attach(db, viewer, ContainerType::Version, version.0, uploads)?,
        None => attach(db, viewer, Kind::Project, project.0, uploads)?,
    };
    let file = attached.pop().ok_or(ActionError::NotFound)?;
    notices::file_added(db, project, &file)?;
    Ok(file)
}
