//! `/oauth/applications/:id`: shows and changes an application.

use super::application_form::{audit, find_application, parse_application, sections};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::FormField;
use crate::components::form_page::FormPage;
use crate::form::{require_password, save};
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::oauth;
use quarry_actions::accounts::users::Actor;
use quarry_domain::accounts::oauth::Application;

const SAVED: &str = "The application was saved.";

#[derive(Template)]
#[template(path = "accounts/oauth/edit.html")]
struct EditPage<'f> {
    frame: &'f Frame,
    form: &'f FormPage,
    application: Application,
    /// The password for a new secret.
    secret_password: FormField,
}

/// `GET /oauth/applications/:id`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new(), None)
}

/// `POST /oauth/applications/:id`: changes name, redirect URIs and scopes.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let before = request.app.read(|db| find_application(request, db))?;
    let id = before.id;
    save(
        request,
        || {
            require_password(request)?;
            let change = parse_application(request);
            request.write(move |db, viewer| oauth::update(db, Actor::Viewer(viewer), id, &change))
        },
        |()| {
            audit(request, &before.client_id, "updated");
            Ok((paths::application(id), SAVED.to_owned()))
        },
        |db, errors| page(request, db, errors, None),
    )
}

/// Renders the form, with what is wrong with the password for a new secret.
pub fn page(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
    secret_error: Option<String>,
) -> Result<Reply, Error> {
    let application = find_application(request, db)?;
    let frame = Frame::for_administration(request, db, application.name.clone())
        .with_width(Width::Medium)
        .below("OAuth applications", "/oauth/applications");
    let sections = sections(
        Some(&application),
        FieldBuilder::without_object(&request.body),
    );
    let path = paths::application(application.id);
    let form = FormPage::with_sections(frame, path.as_str(), sections)
        .with_cancel("/oauth/applications")
        .with_delete(format!("{path}/delete"))
        .with_errors(errors);
    let page = EditPage {
        frame: &form.frame,
        form: &form,
        application,
        secret_password: FormField {
            id: "secret_password".to_owned(),
            error: secret_error,
            ..FormField::own_password("").required()
        },
    };
    render(page.frame, &page)
}
