//! Revisions of repositories and the issues related to them (compatibility 11.10 and 13.3).

use crate::prelude::*;
use axum::routing::{self, post};
use quarry_actions::ActionError;
use quarry_actions::projects::changesets;
use quarry_actions::projects::changesets::{ChangesetAddress, NewRevision};
use quarry_actions::projects::repositories;
use quarry_domain::ids::IssueId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::changeset::{ChangedPath, Changeset};
use quarry_domain::projects::repository::Repository;
use quarry_domain::values::patch::Patch;
use quarry_http::resources::paths;
use quarry_store as store;
use quarry_store::index_feed::search_records;
use quarry_store::projects::changesets::MAX_FILES;
use quarry_wire::Input;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/projects/{id}/repository/{repository_id}/revisions",
            get(read_handler(list)).post(write_handler(create)),
        )
        .route(
            "/projects/{id}/repository/{repository_id}/revisions/{revision}",
            get(read_handler(show)),
        )
        .route(
            "/projects/{id}/repository/{repository_id}/revisions/{revision}/issues",
            post(write_handler(create_issue)),
        )
        .route(
            "/projects/{id}/repository/{repository_id}/revisions/{revision}/issues/{issue_id}",
            routing::delete(write_handler(delete_issue)),
        )
}

/// `GET /projects/:id/repository/:repository_id/revisions` (compatibility 13.3).
///
/// Returns a page of the changesets of a repository, newest first.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let project = request.path_param("id");
    let repository = request.path_param("repository_id");
    let repository = repositories::find_in_project(db, request.viewer(), project, repository)?;
    let pagination = Pagination::from_query(&request.query);
    let total = store::projects::changesets::count(db, repository.id)?;
    let page =
        store::projects::changesets::list(db, repository.id, pagination.offset, pagination.limit)?;
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "changesets",
        "changeset",
        page,
        move |w, changeset| write_changeset(w, &changeset, &repository, &catalogue),
        meta,
    ))
}

/// `GET /projects/:id/repository/:repository_id/revisions/:revision` (compatibility 13.3).
///
/// Returns the changeset with this revision, or whose revision begins so, with its parents, its
/// files and the issues that it refers to.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let project = request.path_param("id");
    let repository = request.path_param("repository_id");
    let repository = repositories::find_in_project(db, request.viewer(), project, repository)?;
    changeset_reply(request, db, repository, request.path_param("revision"))
}

/// Returns the changeset of the repository.
fn changeset_reply(
    request: &RequestContext,
    db: &Read<'_>,
    repository: Repository,
    revision: &str,
) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let changeset = match store::projects::changesets::find(db, repository.id, revision)? {
        Some(changeset) => Some(changeset),
        None => match store::projects::changesets::find_in_project(
            db,
            viewer,
            repository.project,
            Some(&repository.id.to_string()),
            revision,
        )? {
            Some(found) => store::projects::changesets::find(db, repository.id, &found.revision)?,
            None => None,
        },
    };
    let changeset = changeset.ok_or_else(|| ActionError::missing(viewer))?;
    let ids = store::projects::changesets::issues(db, changeset.id)?;
    let mut visible = search_records::load(db, viewer, Kind::Issue, &ids)?;
    let details = ChangesetDetails {
        parents: store::projects::changesets::parents(db, changeset.id)?,
        files: store::projects::changesets::files(db, changeset.id)?,
        issues: ids
            .iter()
            .filter_map(|id| visible.remove(id).map(|issue| (issue.id, issue.title)))
            .collect(),
        changeset,
    };
    let catalogue = Arc::clone(db.catalogue());
    Ok(Reply::object("changeset", move |w| {
        write_full_changeset(w, &details, &repository, &catalogue)
    }))
}

/// `POST /projects/:id/repository/:repository_id/revisions` (compatibility 13.3).
///
/// Records a changeset: 201 with it and its URL; 200 with what is stored when the revision is known
/// already.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let new = parse_revision(request)?;
    let project = request.path_param("id").to_owned();
    let repository = request.path_param("repository_id").to_owned();
    let revision = new.revision.clone();
    let recorded = request
        .write(move |db, viewer| changesets::create(db, viewer, &project, &repository, &new))?;
    request.app.read(|db| {
        let repository = store::projects::repositories::find_by_id(db, recorded.repository)?
            .ok_or(Error::NotFound)?;
        let project = db
            .catalogue()
            .projects
            .get(&repository.project)
            .map_or("", |project| &project.identifier);
        let path = format!(
            "/projects/{project}/repository/{}/revisions/{}",
            repository.id,
            paths::encode(&revision)
        );
        let reply = changeset_reply(request, db, repository, &revision)?;
        Ok(if recorded.is_new {
            reply.created(format!("{}{path}", request.base_url()))
        } else {
            reply
        })
    })
}

/// Parses the object `changeset`. `committed_on` is the time of the request if it is absent, and
/// `None` if it is not valid.
fn parse_revision(request: &RequestContext) -> Result<NewRevision, Error> {
    let mut body = BodyFields::from_body(request, "changeset")?;
    let committed_on = match body.text("committed_on", "Committed on") {
        Patch::Set(text) => text.trim().parse().ok(),
        Patch::Unset | Patch::Clear => Some(request.app.clock.now()),
    };
    let new = NewRevision {
        revision: text_of(body.text("revision", "Revision")),
        committer: text_of(body.text("committer", "Committer")),
        committed_on,
        comments: text_of(body.text("comments", "Comments")),
        parents: body
            .texts("parents", "Parents")
            .value()
            .cloned()
            .unwrap_or_default(),
        files: files(body.raw("files"))?,
    };
    body.check()?;
    Ok(new)
}

fn text_of(patch: Patch<String>) -> String {
    patch.value().cloned().unwrap_or_default()
}

/// Parses the files: objects with `action`, `path` and `from_path`, or paths alone, which stand for
/// modified files.
fn files(input: Option<&Input>) -> Result<Vec<ChangedPath>, Error> {
    let items = match input {
        None => return Ok(Vec::new()),
        Some(input) if input.is_blank() => return Ok(Vec::new()),
        Some(input) => input
            .as_list()
            .filter(|items| i64::try_from(items.len()).is_ok_and(|len| len <= MAX_FILES))
            .ok_or_else(invalid_files)?,
    };
    items
        .iter()
        .map(|item| parse_file(item).ok_or_else(invalid_files))
        .collect()
}

fn invalid_files() -> Error {
    Error::invalid_attribute(
        "files",
        "Files",
        &format!(
            "is invalid (a list of at most {MAX_FILES} objects with action and path is expected)"
        ),
    )
}

fn parse_file(item: &Input) -> Option<ChangedPath> {
    let path = if item.is_map() {
        text_of_item(item, "path")
    } else {
        item.as_text().map(|text| text.into_owned())
    };
    let action = text_of_item(item, "action")
        .map_or_else(|| "M".to_owned(), |action| action.trim().to_uppercase());
    Some(ChangedPath {
        action,
        path: path?,
        from_path: text_of_item(item, "from_path").filter(|path| !path.is_empty()),
    })
}

fn text_of_item(item: &Input, name: &str) -> Option<String> {
    item.get(name)
        .and_then(Input::as_text)
        .map(|text| text.into_owned())
}

/// `POST /projects/:id/repository/:repository_id/revisions/:revision/issues` (compatibility 11.10).
///
/// Links an issue to a revision: 204. `issue_id` is outside of any object, as in Redmine, and may
/// have a `#`.
fn create_issue(request: &RequestContext) -> Result<Reply, Error> {
    let address = address(request)?;
    let text = request
        .body
        .get("issue_id")
        .and_then(Input::as_text)
        .unwrap_or_default();
    // What is not a number becomes 0, which is the id of no issue.
    let issue = IssueId(text.trim().trim_start_matches('#').parse().unwrap_or(0));
    request.write_in_project(address.project, move |db, viewer| {
        changesets::add_issue(db, viewer, &address, issue)
    })?;
    Ok(Reply::no_content())
}

/// `DELETE /projects/:id/repository/:repository_id/revisions/:revision/issues/:issue_id`
/// (compatibility 11.10).
///
/// Removes the link of an issue to a revision: 204, also when there is none.
fn delete_issue(request: &RequestContext) -> Result<Reply, Error> {
    let issue: IssueId = request.id_param("issue_id")?;
    let address = address(request)?;
    request.write_in_project(address.project, move |db, viewer| {
        changesets::remove_issue(db, viewer, &address, issue)
    })?;
    Ok(Reply::no_content())
}

/// Returns the address of the changeset in the path; 404 when the project does not exist.
pub fn address(request: &RequestContext) -> Result<ChangesetAddress, Error> {
    let project = request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let repository = request.path_param("repository_id").to_owned();
    let revision = request.path_param("revision").to_owned();
    Ok(ChangesetAddress {
        project,
        repository,
        revision,
    })
}

/// A changeset with what belongs to it.
pub struct ChangesetDetails {
    pub changeset: Changeset,
    /// The revisions of its parents.
    pub parents: Vec<String>,
    /// The files that it changes.
    pub files: Vec<ChangedPath>,
    /// Ids and subjects of the issues that it refers to and the viewer may see.
    pub issues: Vec<(i64, String)>,
}

/// Writes the fields of a changeset, in the order of compatibility 13.3.
pub fn write_changeset(
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
pub fn write_full_changeset(
    w: &mut Fields,
    details: &ChangesetDetails,
    repository: &Repository,
    catalogue: &Catalogue,
) {
    write_changeset(w, &details.changeset, repository, catalogue);
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
