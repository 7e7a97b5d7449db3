//! `/oauth/applications`: the registered applications, and the deletion of one.

use super::application_form::{audit, find_application};
use crate::components::form_field::FormField;
use crate::components::form_page::FormPage;
use crate::components::time::Moment;
use crate::form::{require_password, save};
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::oauth;
use quarry_actions::accounts::users::Actor;
use quarry_domain::accounts::oauth::Application;
use quarry_domain::administration::setting::Setting;
use quarry_store::accounts::oauth::{applications, grants};

#[derive(Template)]
#[template(path = "accounts/oauth/applications.html")]
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

/// `GET /oauth/applications/:id/delete`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    delete_page(request, db, ValidationErrors::new())
}

/// `POST /oauth/applications/:id/delete`.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let application = request.app.read(|db| find_application(request, db))?;
    let id = application.id;
    save(
        request,
        || {
            require_password(request)?;
            request.write(move |db, viewer| oauth::delete(db, Actor::Viewer(viewer), id).map(drop))
        },
        |()| {
            audit(request, &application.client_id, "deleted");
            let message = format!("The application {} was deleted.", application.name);
            Ok(("/oauth/applications".to_owned(), message))
        },
        |db, errors| delete_page(request, db, errors),
    )
}

fn delete_page(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let application = find_application(request, db)?;
    let path = paths::application(application.id);
    let name = &application.name;
    let frame = Frame::for_administration(request, db, format!("Delete {name}"))
        .below("OAuth applications", "/oauth/applications")
        .below(name.as_str(), path.as_str());
    let users = match grants::count_users(db, application.id)? {
        0 => "Nobody has given it access.".to_owned(),
        1 => "One person has given it access.".to_owned(),
        count => format!("{count} people have given it access."),
    };
    FormPage::confirmation(frame, format!("{path}/delete"), "Delete")
        .with_heading(format!("Delete {name}?"))
        .with_paragraph(format!(
            "{users} All its tokens stop working at once. This cannot be undone."
        ))
        .with_fields([FormField::own_password("").required()])
        .with_cancel(path)
        .with_errors(errors)
        .render()
}
