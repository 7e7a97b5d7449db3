//! Lists the files of projects.

use crate::actions::ActionError;
use crate::domain::attachment::{Attachment, ContainerType};
use crate::domain::ids::ProjectId;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Read, attachments};

/// Maximum number of files in the list of a project, which has no pages.
pub const MAX_FILES: usize = 5_000;

/// Returns the files of a project, then those of its versions, newest version first; each by name.
///
/// # Errors
/// `Forbidden` if the viewer may not see the files of the project.
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
    versions.sort_unstable_by_key(|id| std::cmp::Reverse(*id));
    let mut of_project = attachments::list_by_container(db, Kind::Project, &[project.0])?;
    let mut of_versions = attachments::list_by_container(db, ContainerType::Version, &versions)?;
    let of_versions = versions.iter().filter_map(|id| of_versions.remove(id));
    let mut files: Vec<Attachment> = Vec::new();
    for mut of_record in of_project.remove(&project.0).into_iter().chain(of_versions) {
        of_record.sort_by_cached_key(|file| (file.filename.to_lowercase(), file.id));
        files.append(&mut of_record);
    }
    files.truncate(MAX_FILES);
    Ok(files)
}
