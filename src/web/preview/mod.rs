//! `POST /preview`: a text as it will look, for the script of text areas.

use crate::actions::issues;
use crate::domain::ids::IssueId;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::http::{Error, Reply, RequestContext};
use crate::markup::SafeHtml;
use crate::store::{Read, attachments};
use crate::web::access;
use crate::web::components::form_field::typed;
use crate::web::text::TextRenderer;
use askama::Template;

#[derive(Template)]
#[template(path = "preview/preview.html")]
struct Preview {
    html: SafeHtml,
}

/// Renders the field `text` as a text of the issue or the project in the query string (`issue`, `project`).
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let text = typed(&request.body, "text").unwrap_or_default();
    let html = match request.query_param("issue") {
        Some(id) => {
            let id = id.parse().map(IssueId).map_err(|_| Error::NotFound)?;
            let issue = access::found(request, issues::find(db, request.viewer(), id))?;
            let files = attachments::list_by_container(db, Kind::Issue, &[id.0])?.remove(&id.0).unwrap_or_default();
            TextRenderer::new(db, request.viewer(), issue.project, &files).of_issue(id).render(&text, "preview-")
        }
        None => {
            let project = request.query_param("project").unwrap_or_default();
            let project = db.catalogue().project_by(&project).filter(|project| request.viewer().may(Permission::ViewProject, project.id));
            let project = project.ok_or_else(|| access::missing(request))?;
            TextRenderer::new(db, request.viewer(), project.id, &[]).render(&text, "preview-")
        }
    };
    let page = Preview { html }.render().map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Reply::page(page))
}
