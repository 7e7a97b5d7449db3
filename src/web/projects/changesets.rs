//! Pages of repositories: the changesets of a project, and a changeset.

use crate::access;
use crate::components::avatar::Person;
use crate::components::pager::Pager;
use crate::components::time::Moment;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::issues::{IssueLink, links};
use crate::prelude::*;
use crate::text::TextRenderer;
use quarry_http::Pagination;
use quarry_markup::SafeHtml;
use quarry_store::projects::{changesets, repositories};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/projects/{id}/repository", get(read_handler(list)))
        .route(
            "/projects/{id}/repository/revisions/{revision}",
            get(read_handler(show)),
        )
        .route(
            "/projects/{id}/repository/{repository}/revisions/{revision}",
            get(read_handler(show)),
        )
}

#[derive(Template)]
#[template(path = "projects/changesets/list.html")]
struct ChangesetList {
    frame: Frame,
    total: i64,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    revision: String,
    path: String,
    message: String,
    committer: String,
    committed: Moment,
}

/// `GET /projects/:id/repository`: the changesets of a project, newest first.
///
/// Lists the changesets of all repositories of the project.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewChangesets)?;
    let pagination = Pagination::from_query(&request.query);
    let total = changesets::count_by_project(db, viewer, project.id)?;
    let page =
        changesets::list_by_project(db, viewer, project.id, pagination.offset, pagination.limit)?;
    let rows = page.into_iter().map(|(changeset, repository)| {
        let repository = Some(repository.as_str()).filter(|name| !name.is_empty());
        let user_name = changeset
            .user
            .and_then(|id| catalogue.principal_name(id.into()));
        Row {
            path: paths::changeset(&project.identifier, repository, &changeset.revision),
            revision: changeset.revision.chars().take(8).collect(),
            message: changeset
                .comments
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned(),
            committer: user_name.unwrap_or(&changeset.committer).to_owned(),
            committed: Moment::new(changeset.committed_on),
        }
    });
    let page = ChangesetList {
        frame: Frame::new(request, db, "Repository").in_project(
            db,
            viewer,
            project,
            Some(ProjectTab::Repository),
        ),
        total,
        rows: rows.collect(),
        pager: Pager::for_list(request, pagination.offset, pagination.limit, total),
    };
    render(&page.frame, &page)
}

#[derive(Template)]
#[template(path = "projects/changesets/show.html")]
struct ChangesetPage {
    frame: Frame,
    /// The revision, cut to the characters that tell it from others.
    short: String,
    revision: String,
    repository: String,
    author: Option<Person>,
    committer: String,
    committed: Moment,
    message: SafeHtml,
    issues: Vec<IssueLink>,
}

/// `GET /projects/:id/repository/revisions/:revision`,
/// `…/repository/:repository/revisions/:revision`: a changeset.
///
/// Shows the changeset with the issues that it refers to.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewChangesets)?;
    let repository =
        Some(request.path_param("repository")).filter(|repository| !repository.is_empty());
    let changeset = changesets::find_in_project(
        db,
        viewer,
        project.id,
        repository,
        request.path_param("revision"),
    )?;
    let changeset = changeset.ok_or_else(|| access::missing(request))?;
    let repository = repositories::find_by_id(db, changeset.repository)?;
    let short: String = changeset.revision.chars().take(8).collect();
    let frame = Frame::new(request, db, format!("Revision {short}"));
    let frame = frame.with_width(Width::Narrow).in_project(
        db,
        viewer,
        project,
        Some(ProjectTab::Repository),
    );
    let page = ChangesetPage {
        frame: frame.below(
            "Repository",
            format!("{}/repository", paths::project(project)),
        ),
        short,
        author: changeset.user.map(|id| Person::new(catalogue, id.into())),
        committed: Moment::new(changeset.committed_on),
        message: TextRenderer::new(request, db, project.id, &[]).render(&changeset.comments, "")?,
        issues: links(request, db, &changesets::issues(db, changeset.id)?)?,
        revision: changeset.revision,
        repository: repository.map_or_else(String::new, |repository| repository.identifier),
        committer: changeset.committer,
    };
    render(&page.frame, &page)
}
