//! JSON and XML of repositories (compatibility 13.3).

use crate::domain::catalogue::Catalogue;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::repositories::Repository;
use crate::wire::Fields;

/// A repository with what its output needs.
pub struct RepositoryDetails {
    /// The repository.
    pub repository: Repository,
    /// Whether its address is shown.
    pub shows_url: bool,
}

impl RepositoryDetails {
    /// Returns what the viewer may see of a repository: its address is for those who manage it.
    pub fn new(viewer: &Viewer, repository: Repository) -> RepositoryDetails {
        RepositoryDetails {
            shows_url: viewer.may(Permission::ManageRepository, repository.project),
            repository,
        }
    }
}

/// Writes the fields of a repository, in the order of compatibility 13.3.
pub fn repository(w: &mut Fields, details: &RepositoryDetails, catalogue: &Catalogue) {
    let repository = &details.repository;
    w.field("id", repository.id);
    w.reference(
        "project",
        repository.project.0,
        catalogue.project_name(repository.project),
    );
    w.field("identifier", &repository.identifier);
    // Imported types have the name of a class of Redmine.
    w.field(
        "scm",
        repository.scm.rsplit("::").next().unwrap_or_default(),
    );
    w.field("is_default", repository.is_default);
    if details.shows_url {
        w.field("url", &repository.url);
    }
    w.field("created_on", repository.created_on);
}
