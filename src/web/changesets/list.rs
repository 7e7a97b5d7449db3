//! `GET /projects/:id/repository`: the changesets of a project, newest first.

use crate::domain::permission::Permission;
use crate::http::search::title::percent_encode;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, repositories};
use crate::web::access;
use crate::web::components::pager::{Pager, with_params};
use crate::web::components::time::Moment;
use crate::web::frame::{Frame, ProjectTab, project_path};
use crate::web::render::render;
use askama::Template;

#[derive(Template)]
#[template(path = "changesets/list.html")]
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

/// Lists the changesets of all repositories of the project.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewChangesets)?;
    let pagination = Pagination::from_query(&request.query);
    let total = repositories::count_by_project(db, viewer, project.id)?;
    let changesets =
        repositories::list_by_project(db, viewer, project.id, pagination.offset, pagination.limit)?;
    let rows = changesets.into_iter().map(|changeset| {
        let repository = if changeset.repository.is_empty() {
            String::new()
        } else {
            format!("/{}", percent_encode(&changeset.repository))
        };
        let user_name = changeset
            .user
            .and_then(|id| catalogue.principal_name(id.into()));
        Row {
            path: format!(
                "{}/repository{repository}/revisions/{}",
                project_path(project),
                percent_encode(&changeset.revision)
            ),
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
    let path = |page: i64| {
        with_params(
            request,
            &[("page", Some(page.to_string().as_str())), ("offset", None)],
        )
    };
    let page = ChangesetList {
        frame: Frame::new(request, db, "Repository").in_project(
            catalogue,
            viewer,
            project,
            Some(ProjectTab::Repository),
        ),
        total,
        rows: rows.collect(),
        pager: Pager::new(pagination.offset, pagination.limit, total, path),
    };
    render(&page.frame, &page)
}
