//! `GET /setup`: asks for the code, then for everything else.

use super::form::{Errors, SetupForm};
use crate::domain::catalogue::Catalogue;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::frame::{Frame, Width};
use crate::web::render::render;
use askama::Template;

/// The form, or its first part, which asks for the code only.
#[derive(Template)]
#[template(path = "setup/setup.html")]
struct SetupPage {
    frame: Frame,
    asks_for_code: bool,
    form: SetupForm,
    errors: Errors,
    min_password_length: usize,
    protocols: [Choice; 2],
}

struct Choice {
    value: &'static str,
    label: &'static str,
    is_selected: bool,
}

/// Shows the form for the code, which the address in the terminal has filled in. An installation
/// that is set up leads to its start page.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if !request.app.setup.is_pending(db.catalogue()) {
        return Ok(Reply::redirect("/".to_owned()));
    }
    let code = request
        .query_param("code")
        .unwrap_or_default()
        .chars()
        .take(100)
        .collect();
    page(
        request,
        db.catalogue(),
        true,
        SetupForm {
            code,
            ..SetupForm::default()
        },
        Errors::default(),
        db,
    )
}

/// Renders the form.
pub fn page(
    request: &RequestContext,
    catalogue: &Catalogue,
    asks_for_code: bool,
    form: SetupForm,
    errors: Errors,
    db: &Read<'_>,
) -> Result<Reply, Error> {
    let (csrf_token, cookie) = request.login_csrf();
    let width = if asks_for_code {
        Width::Slim
    } else {
        Width::Narrow
    };
    let mut frame = Frame::new(request, db, "Set up")
        .with_width(width)
        .without_search();
    frame.csrf_token = Some(csrf_token);
    frame.links.clear();
    let choice = |value, label| Choice {
        value,
        label,
        is_selected: form.protocol == value,
    };
    let page = SetupPage {
        asks_for_code,
        errors,
        min_password_length: catalogue.min_password_length(),
        protocols: [choice("http", "HTTP"), choice("https", "HTTPS")],
        form,
        frame,
    };
    let reply = render(&page.frame, &page)?;
    Ok(match cookie {
        Some(cookie) => reply.with_cookie(cookie),
        None => reply,
    })
}
