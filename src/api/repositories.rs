//! Repositories of projects (compatibility 13.3).

use crate::prelude::*;
use quarry_actions::projects;
use quarry_actions::projects::repositories;
use quarry_actions::projects::repositories::RepositoryChange;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::projects::repository::Repository;
use quarry_store as store;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/repositories/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route(
            "/projects/{id}/repositories",
            get(read_handler(list)).post(write_handler(create)),
        )
}

/// `GET /projects/:id/repositories` (compatibility 13.3).
///
/// Returns a page of the repositories of a project, the main one first.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let viewer = request.viewer();
    let project = projects::find_with(
        &catalogue,
        viewer,
        request.path_param("id"),
        Permission::ViewChangesets,
    )?
    .id;
    let pagination = Pagination::from_query(&request.query);
    let (repositories, total) = pagination.slice(store::projects::repositories::list(db, project)?);
    let meta = pagination.meta(total, repositories.len());
    let details = repositories
        .into_iter()
        .map(|repository| RepositoryDetails::new(viewer, repository))
        .collect();
    Ok(Reply::list(
        "repositories",
        "repository",
        details,
        move |w, details| write_repository(w, &details, &catalogue),
        meta,
    ))
}

/// `GET /repositories/:id` (compatibility 13.3).
///
/// Returns the repository.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let repository = repositories::find(db, request.viewer(), request.id_param("id")?)?;
    Ok(repository_reply(request, db, repository))
}

/// Returns a repository as the viewer sees it.
fn repository_reply(request: &RequestContext, db: &Read<'_>, repository: Repository) -> Reply {
    let details = RepositoryDetails::new(request.viewer(), repository);
    let catalogue = Arc::clone(db.catalogue());
    Reply::object("repository", move |w| {
        write_repository(w, &details, &catalogue)
    })
}

/// `POST /projects/:id/repositories` (compatibility 13.3).
///
/// Adds a repository: 201 with it and the URL of its changesets.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let new = Repository::from_body(&request.body)?;
    let project = request.path_param("id").to_owned();
    let id = request.write(move |db, viewer| repositories::create(db, viewer, &project, &new))?;
    request.app.read(|db| {
        let repository = repositories::find(db, request.viewer(), id)?;
        let project = db
            .catalogue()
            .projects
            .get(&repository.project)
            .map_or("", |project| &project.identifier);
        let location = format!(
            "{}/projects/{project}/repository/{id}/revisions",
            request.base_url()
        );
        Ok(repository_reply(request, db, repository).created(location))
    })
}

/// `PUT /repositories/:id` (compatibility 13.3).
///
/// Updates a repository: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let change = RepositoryChange::from_body(&request.body)?;
    request.write(move |db, viewer| repositories::update(db, viewer, id, &change))?;
    request.app.read(|db| show(request, db))
}

/// `DELETE /repositories/:id` (compatibility 13.3).
///
/// Deletes a repository with its changesets: 200 without a body.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    request.write(move |db, viewer| repositories::delete(db, viewer, id))?;
    Ok(Reply::ok())
}

/// A repository with what its output needs.
pub struct RepositoryDetails {
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
pub fn write_repository(w: &mut Fields, details: &RepositoryDetails, catalogue: &Catalogue) {
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
