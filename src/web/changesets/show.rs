//! `GET /projects/:id/repository/revisions/:revision`,
//! `…/repository/:repository/revisions/:revision`: a changeset.

use crate::domain::permission::Permission;
use crate::http::{Error, Reply, RequestContext};
use crate::markup::SafeHtml;
use crate::store::{Read, repositories};
use crate::web::access;
use crate::web::components::avatar::Person;
use crate::web::components::time::Moment;
use crate::web::frame::{Frame, ProjectTab, Width, project_path};
use crate::web::issues::{IssueLink, links};
use crate::web::render::render;
use crate::web::text::TextRenderer;
use askama::Template;

#[derive(Template)]
#[template(path = "changesets/show.html")]
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

/// Shows the changeset with the issues that it refers to.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewChangesets)?;
    let repository =
        Some(request.path_param("repository")).filter(|repository| !repository.is_empty());
    let changeset = repositories::find_changeset(
        db,
        viewer,
        project.id,
        repository,
        request.path_param("revision"),
    )?;
    let changeset = changeset.ok_or_else(|| access::missing(request))?;
    let short: String = changeset.revision.chars().take(8).collect();
    let frame = Frame::new(request, db, format!("Revision {short}"));
    let frame = frame.with_width(Width::Narrow).in_project(
        catalogue,
        viewer,
        project,
        Some(ProjectTab::Repository),
    );
    let page = ChangesetPage {
        frame: frame.below(
            "Repository",
            format!("{}/repository", project_path(project)),
        ),
        short,
        author: changeset.user.map(|id| Person::new(catalogue, id.into())),
        committed: Moment::new(changeset.committed_on),
        message: TextRenderer::new(request, db, project.id, &[]).render(&changeset.comments, "")?,
        issues: links(
            request,
            db,
            &repositories::issues_of_changeset(db, changeset.id)?,
        )?,
        revision: changeset.revision,
        repository: changeset.repository,
        committer: changeset.committer,
    };
    render(&page.frame, &page)
}
