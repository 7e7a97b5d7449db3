//! `POST /preview`: a text as it will look, for the script of text areas.

use crate::access;
use crate::components::form_field::typed;
use crate::content::received_files::{tokens, uploads};
use crate::prelude::*;
use crate::text::{OwnFiles, TextRenderer};
use axum::routing::post;
use quarry_actions::content::attachments::MAX_UPLOADS;
use quarry_actions::issues::{self, journals};
use quarry_domain::ids::{AttachmentId, JournalId, WikiPageId};
use quarry_domain::index_feed::kind::Kind;
use quarry_markup::SafeHtml;
use quarry_store::content::{attachments, wiki};

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/preview", post(read_handler(show)))
}

#[derive(Template)]
#[template(path = "preview/preview.html")]
struct Preview {
    html: SafeHtml,
}

/// Renders the field `text` as a text of the issue, wiki page or project in the query string
/// (`issue`, `wiki_page`, `project`). With `note`, the id of a journal, it is a note of the issue.
/// The text may name files of its form: those that are chosen (`files[]`, their names), and those
/// that an earlier attempt has sent (`attachments[…][token]`).
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let text = typed(&request.body, "text").unwrap_or_default();
    let uploads = uploads(request, db, &tokens(&request.body));
    let mut own: Vec<AttachmentId> = uploads.iter().map(|file| file.id).collect();
    let chosen = chosen(&request.body);
    let html = match request.query_param("issue") {
        Some(id) => {
            let id = id.parse().map(IssueId).map_err(|_| Error::NotFound)?;
            let issue = access::found(request, issues::find(db, request.viewer(), id))?;
            own.extend(files_of_note(request, db, &issue)?);
            let mut files = attachments::list_by_container(db, Kind::Issue, &[id.0])?
                .remove(&id.0)
                .unwrap_or_default();
            files.extend(uploads);
            let renderer = TextRenderer::new(request, db, issue.project, &files).of_issue(id);
            render(&renderer, &text, &own, &chosen)?
        }
        None if request.query_param("wiki_page").is_some() => {
            let id = request.query_param("wiki_page").unwrap_or_default();
            let id = id.parse().map(WikiPageId).map_err(|_| Error::NotFound)?;
            let page = wiki::find_by_id(db, id)?
                .filter(|page| {
                    request
                        .viewer()
                        .may(Permission::ViewWikiPages, page.project)
                })
                .ok_or_else(|| access::missing(request))?;
            let mut files = attachments::list_by_container(db, Kind::WikiPage, &[id.0])?
                .remove(&id.0)
                .unwrap_or_default();
            files.extend(uploads);
            let renderer = TextRenderer::new(request, db, page.project, &files);
            render(&renderer, &text, &own, &chosen)?
        }
        None => {
            let project = request.query_param("project").unwrap_or_default();
            let project = db
                .catalogue()
                .project_by(&project)
                .filter(|project| request.viewer().may(Permission::ViewProject, project.id));
            let project = project.ok_or_else(|| access::missing(request))?;
            render(
                &TextRenderer::new(request, db, project.id, &uploads),
                &text,
                &own,
                &chosen,
            )?
        }
    };
    let page = Preview { html }
        .render()
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Reply::page(page))
}

fn render(
    renderer: &TextRenderer<'_>,
    text: &str,
    attached: &[AttachmentId],
    chosen: &[String],
) -> Result<SafeHtml, Error> {
    renderer.render_with_files(text, "preview-", OwnFiles { attached, chosen })
}

/// Returns the files that came with the note in the query string; none if there is no such note of
/// the issue.
fn files_of_note(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<AttachmentId>, Error> {
    let Some(id) = request
        .query_param("note")
        .and_then(|id| id.parse().ok())
        .map(JournalId)
    else {
        return Ok(Vec::new());
    };
    let journals = journals::list_by_ids(db, request.viewer(), issue, &[id])?;
    Ok(journals
        .iter()
        .flat_map(|journal| journal.added_files())
        .collect())
}

/// Returns the names of the files that are chosen in the form.
fn chosen(form: &Input) -> Vec<String> {
    let Some(Input::List(names)) = form.get("files") else {
        return Vec::new();
    };
    names
        .iter()
        .take(MAX_UPLOADS)
        .map(|name| name.as_text().unwrap_or_default().into_owned())
        .collect()
}
