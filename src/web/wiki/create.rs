//! `/projects/:id/wiki/:title/edit`: creates a page with the title in the address.

use super::address::{self, Target, name, path};
use crate::actions::wiki;
use crate::domain::ids::ProjectId;
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::domain::wiki::{MAX_COMMENT_LENGTH, WikiChange, normalize_title};
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, Write};
use crate::web::access;
use crate::web::components::form_field::typed;
use crate::web::frame::{Flash, FlashKind, Frame, ProjectTab, Width};
use crate::web::render::{redirect_with, render};
use askama::Template;
use axum::http::StatusCode;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "wiki/create.html")]
struct NewPage {
    frame: Frame,
    name: String,
    page_path: String,
    preview: String,
    text: String,
    comments: String,
    max_comment: usize,
    errors: Vec<String>,
}

/// What was typed.
#[derive(Default)]
struct Typed {
    text: String,
    comments: String,
    errors: Vec<String>,
}

/// `GET`: the form. Redirects to the page if it exists.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, Typed::default())
}

/// `POST`: creates the page and redirects to it. Does not overwrite a page that somebody else has
/// created meanwhile.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let (project, page_path) = request.app.read(|db| -> Result<_, Error> {
        let project = access::project(request, db.catalogue(), Permission::ViewWikiPages)?;
        require_edit(request, project.id)?;
        Ok((project.id, path(project, &title(request))))
    })?;
    let typed = |name: &str| typed(&request.body, name).unwrap_or_default();
    let text = typed("content[text]");
    let comments = typed("content[comments]");
    let change = WikiChange {
        text: Patch::Set(text.clone()),
        comments: Some(comments.clone()).filter(|comments| !comments.is_empty()),
        base_version: Patch::Set(0),
        ..WikiChange::default()
    };
    let title = title(request);
    require_name(&title)?;
    let clock = Arc::clone(&request.app.clock);
    let save = move |db: &mut Write<'_>, viewer: &Viewer| {
        wiki::save(db, viewer, project, &title, &change, &[], clock.as_ref())
    };
    match request.write_in_project(project, save) {
        Ok(_) => Ok(Reply::see_other(page_path)),
        Err(Error::Invalid(errors)) => again(
            request,
            Typed {
                text,
                comments,
                errors,
            },
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        Err(Error::Conflict(_)) => {
            let error = "Somebody else has created this page meanwhile. Open it in another tab, and copy your text.".to_owned();
            again(
                request,
                Typed {
                    text,
                    comments,
                    errors: vec![error],
                },
                StatusCode::CONFLICT,
            )
        }
        Err(error) => Err(error),
    }
}

/// Fails with 404 for a title of which nothing would be seen.
fn require_name(title: &str) -> Result<(), Error> {
    if name(title).trim().is_empty() {
        Err(Error::NotFound)
    } else {
        Ok(())
    }
}

/// Shows the form with what was typed.
fn again(request: &RequestContext, typed: Typed, status: StatusCode) -> Result<Reply, Error> {
    Ok(request
        .app
        .read(|db| page(request, db, typed))?
        .with_status(status))
}

fn page(request: &RequestContext, db: &Read<'_>, typed: Typed) -> Result<Reply, Error> {
    let project = access::project(request, db.catalogue(), Permission::ViewWikiPages)?;
    require_edit(request, project.id)?;
    let title = title(request);
    require_name(&title)?;
    let page_path = path(project, &title);
    if typed.errors.is_empty() && !matches!(address::find(request, db)?, Target::Missing(_)) {
        let flash = Flash {
            kind: FlashKind::Notice,
            text: "This page exists already.".to_owned(),
        };
        return Ok(redirect_with(request, page_path, &flash));
    }
    let frame =
        Frame::new(request, db, format!("New page: {}", name(&title))).with_width(Width::Narrow);
    let view = NewPage {
        frame: frame.in_project(
            db.catalogue(),
            request.viewer(),
            project,
            Some(ProjectTab::Wiki),
        ),
        name: name(&title),
        page_path,
        preview: format!("/preview?project={}", project.id),
        text: typed.text,
        comments: typed.comments,
        max_comment: MAX_COMMENT_LENGTH,
        errors: typed.errors,
    };
    render(&view.frame, &view)
}

/// Returns the title in the path as it is stored.
fn title(request: &RequestContext) -> String {
    normalize_title(request.path_param("title"))
}

fn require_edit(request: &RequestContext, project: ProjectId) -> Result<(), Error> {
    if request.viewer().may(Permission::EditWikiPages, project) {
        Ok(())
    } else {
        Err(access::missing(request))
    }
}
