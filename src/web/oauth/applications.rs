//! `/oauth/applications`: the registered applications, and the deletion of one.

use super::application_form::{audit, find};
use crate::components::time::Moment;
use crate::form::check_password;
use crate::frame::{Flash, Frame, Width};
use crate::render::{redirect_with, render};
use askama::Template;
use axum::http::StatusCode;
use quarry_actions::oauth;
use quarry_actions::users::Actor;
use quarry_domain::accounts::oauth::Application;
use quarry_domain::administration::setting::Setting;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_store::accounts::oauth::{applications, grants};

#[derive(Template)]
#[template(path = "oauth/applications.html")]
struct ApplicationsPage {
    frame: Frame,
    rows: Vec<Row>,
    is_disabled: bool,
}

struct Row {
    application: Application,
    hosts: String,
    users: i64,
    created: Moment,
}

/// `/oauth/applications`: the registered applications.
///
/// Lists the applications by name.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let user_counts = grants::count_users_by_application(db)?;
    let mut rows = Vec::new();
    for application in applications::list(db)? {
        let mut hosts: Vec<String> = application
            .redirect_uris
            .iter()
            .map(|uri| uri.host())
            .collect();
        hosts.sort_unstable();
        hosts.dedup();
        let users = user_counts.get(&application.id).copied().unwrap_or(0);
        let created = Moment::new(application.created_on);
        rows.push(Row {
            hosts: hosts.join(", "),
            users,
            created,
            application,
        });
    }
    let frame =
        Frame::for_administration(request, db, "OAuth applications").with_width(Width::Medium);
    let is_disabled = !db.catalogue().is_on(Setting::RestApiEnabled);
    let page = ApplicationsPage {
        frame,
        rows,
        is_disabled,
    };
    render(&page.frame, &page)
}

#[derive(Template)]
#[template(path = "oauth/delete.html")]
struct DeletePage {
    frame: Frame,
    application: Application,
    users: i64,
    error: Option<String>,
}

/// `GET /oauth/applications/:id/delete`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    delete_page(request, db, None)
}

/// `POST /oauth/applications/:id/delete`.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let application = request.app.read(|db| find(request, db))?;
    if let Some(error) = check_password(request)? {
        return Ok(request
            .app
            .read(|db| delete_page(request, db, Some(error)))?
            .with_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let id = application.id;
    request.write(move |db, viewer| oauth::delete(db, Actor::Viewer(viewer), id).map(drop))?;
    audit(request, &application.client_id, "deleted");
    let flash = Flash::notice(format!("The application {} is deleted.", application.name));
    Ok(redirect_with(
        request,
        "/oauth/applications".to_owned(),
        &flash,
    ))
}

fn delete_page(
    request: &RequestContext,
    db: &Read<'_>,
    error: Option<String>,
) -> Result<Reply, Error> {
    let application = find(request, db)?;
    let frame = Frame::for_administration(request, db, format!("Delete {}", application.name))
        .with_width(Width::Slim);
    let frame = frame.below("OAuth applications", "/oauth/applications");
    let frame = frame.below(
        application.name.as_str(),
        paths::application(application.id),
    );
    let page = DeletePage {
        frame,
        users: grants::count_users(db, application.id)?,
        application,
        error,
    };
    render(&page.frame, &page)
}
