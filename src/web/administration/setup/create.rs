//! `/setup`: asks for the code, then for everything else, and welcomes the administrator.

use super::form;
use super::form::SetupForm;
use crate::accounts::sessions::start;
use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::components::list_page::Link;
use crate::form::{PASSWORDS_DIFFER, delay_message, field};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::administration::setup;
use quarry_domain::accounts::session::SessionStep;
use quarry_domain::administration::audit::Origin;
use quarry_domain::administration::setting::Setting;
use quarry_domain::validation::ValidationError;
use quarry_http::{SecretCheck, record_refusal};

const SET_UP: &str = "The installation is set up. You are logged in.";
const NO_CODE: &str = "Enter the code.";

/// `GET /setup`: asks for the code, then for everything else. The address in the terminal has the
/// code, and leads to everything else at once. An installation that is set up leads to its start
/// page.
pub fn show(request: &RequestContext) -> Result<Reply, Error> {
    let app = &request.app;
    if !app.needs_setup()? {
        return Ok(Reply::redirect("/".to_owned()));
    }
    let code: String = request
        .query_param("code")
        .unwrap_or_default()
        .trim()
        .chars()
        .take(100)
        .collect();
    let form = SetupForm {
        code,
        ..SetupForm::default()
    };
    let errors = ValidationErrors::new();
    if form.code.is_empty() {
        return again(request, true, StatusCode::OK, &form, errors);
    }
    if let Some((status, error)) = refuse_code(request, &form.code)? {
        return again(request, true, status, &form, error.into());
    }
    // The page with the code leads to the import, too.
    if app.is_importing()? {
        return again(request, true, StatusCode::OK, &form, errors);
    }
    let form = SetupForm::with_code(request, form.code);
    again(request, false, StatusCode::OK, &form, errors)
}

/// Compares a code with the one that was printed. Returns the status and the message for a wrong
/// one.
fn refuse_code(
    request: &RequestContext,
    code: &str,
) -> Result<Option<(StatusCode, ValidationError)>, Error> {
    let app = &request.app;
    let check = request.check_secret(|permit| {
        let is_right = app.setup.accepts(permit, app.store.secrets(), code);
        Ok(is_right.then_some(()))
    })?;
    let (status, message) = match check {
        SecretCheck::Right(()) => return Ok(None),
        SecretCheck::Delayed(seconds) => (StatusCode::TOO_MANY_REQUESTS, delay_message(seconds)),
        SecretCheck::Missing => (StatusCode::UNPROCESSABLE_ENTITY, NO_CODE.to_owned()),
        SecretCheck::Wrong => {
            tracing::warn!(target: "audit", { client.address = %request.address() }, "a code for the set-up was wrong");
            record_refusal(app, Origin::Anonymous, None, request.address());
            (StatusCode::UNPROCESSABLE_ENTITY, WRONG_CODE.to_owned())
        }
    };
    Ok(Some((status, ValidationError::new("code", "", &message))))
}

/// Renders the form, or its first part, which asks for the code only.
fn setup_page(
    request: &RequestContext,
    db: &Read<'_>,
    asks_for_code: bool,
    form: SetupForm,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let (csrf_token, cookie) = request.login_csrf();
    let mut frame = Frame::new(request, db, "Set up").without_search();
    frame.csrf_token = Some(csrf_token);
    frame.links.clear();
    let import = format!("/setup/import?code={}", paths::encode(&form.code));
    let import = vec![Link::new("Import from Redmine", import)];
    let page = if asks_for_code {
        let is_empty = form.code.is_empty();
        let code = FormField::new(FieldKind::Line, "code", "Code", form.code)
            .required()
            .with_autocomplete("off");
        let code = if is_empty { code.focused() } else { code };
        FormPage::new(frame.with_width(Width::Slim), "/setup", vec![code])
            .with_paragraph(
                "This installation is new. Enter the code that the service has printed in its \
                 terminal or log at the start.",
            )
            .with_links(import)
            .with_submit("Continue")
            .with_errors(errors)
    } else {
        let min = db.catalogue().min_password_length();
        FormPage::with_sections(frame, "/setup", form::sections(form, min))
            .with_links(import)
            .with_submit("Set up and log in")
            .with_errors(form::beside_fields(errors))
    };
    let reply = page.render()?;
    Ok(match cookie {
        Some(cookie) => reply.with_cookie(cookie),
        None => reply,
    })
}

const IMPORTING: &str = "An import from Redmine has begun and is not complete. Continue it, or stop the service and delete its data folder.";

const WRONG_CODE: &str = "This is not the code that the service has printed since its last start.";

/// `POST /setup`: checks the code, and sets the installation up.
///
/// With the code alone, shows the rest of the form. With all fields, sets up and logs the
/// administrator in.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let app = &request.app;
    if !app.needs_setup()? {
        return Ok(Reply::see_other("/".to_owned()));
    }
    let form = SetupForm::from_body(request);
    // Without a login, a form that was filled in is shown again as a whole.
    let is_complete = request.body.get("login").is_some();
    if request.require_login_csrf().is_err() {
        let errors = ValidationError::for_record(
            "Send the form once more. The browser must accept cookies.",
        );
        return again(
            request,
            !is_complete,
            StatusCode::UNPROCESSABLE_ENTITY,
            &form,
            errors.into(),
        );
    }
    if let Some((status, error)) = refuse_code(request, &form.code)? {
        return again(request, !is_complete, status, &form, error.into());
    }
    if app.is_importing()? {
        let error = ValidationError::for_record(IMPORTING);
        let status = StatusCode::CONFLICT;
        return again(request, true, status, &form, error.into());
    }
    if !is_complete {
        return again(
            request,
            false,
            StatusCode::OK,
            &SetupForm::with_code(request, form.code),
            ValidationErrors::new(),
        );
    }
    let password = field(request, "password");
    let repeated = field(request, "password_confirmation");
    if password != repeated {
        let errors = ValidationError::new("password_confirmation", "", PASSWORDS_DIFFER);
        return again(
            request,
            false,
            StatusCode::UNPROCESSABLE_ENTITY,
            &form,
            errors.into(),
        );
    }
    let new = form.installation(password);
    let outcome = app.store.write(move |db| {
        // An import may have begun since.
        if db.catalogue().is_importing {
            return Err(ActionError::Conflict(IMPORTING.to_owned()));
        }
        setup::set_up(db, &new)
    });
    match outcome {
        Ok((admin, _)) => {
            app.import.forget();
            finish(request, &form, admin)
        }
        Err(ActionError::Invalid(invalid)) => again(
            request,
            false,
            StatusCode::UNPROCESSABLE_ENTITY,
            &form,
            invalid,
        ),
        // Somebody with the code was faster.
        Err(ActionError::Conflict(_)) => Ok(Reply::see_other("/login".to_owned())),
        Err(error) => Err(error.into()),
    }
}

/// Shows the form again.
fn again(
    request: &RequestContext,
    asks_for_code: bool,
    status: StatusCode,
    form: &SetupForm,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let reply = request
        .app
        .read(|db| setup_page(request, db, asks_for_code, form.clone(), errors))?;
    Ok(reply.with_status(status))
}

/// Logs the administrator in, unless the session would need TLS and this request has none.
fn finish(request: &RequestContext, form: &SetupForm, admin: UserId) -> Result<Reply, Error> {
    tracing::info!(target: "audit", { user.login = form.login, client.address = %request.address() }, "set up the installation");
    let needs_tls = form.protocol == "https" && !form.host_name.is_empty();
    if needs_tls && !request.is_secure() {
        return request.app.read(|db| {
            at_another_address(request, db, format!("https://{}/login", form.host_name))
        });
    }
    let started = start(request, admin, SessionStep::Complete, false)?;
    let reply = redirect_with(request, "/admin/welcome".to_owned(), &Flash::notice(SET_UP));
    Ok(started.add_cookies(request, reply))
}

#[derive(Template)]
#[template(path = "administration/setup/welcome.html")]
struct WelcomePage {
    frame: Frame,
    /// The address to log in at, for somebody who is not logged in.
    login: Option<String>,
    /// Name and address of the first project.
    project: Option<(String, String)>,
    has_api: bool,
    has_mail: bool,
}

/// `GET /admin/welcome`: what to do after the set-up.
///
/// Shows the next steps.
pub fn welcome(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    welcome_page(request, db, None)
}

/// Renders the page for an administrator who has to log in at another address.
pub fn at_another_address(
    request: &RequestContext,
    db: &Read<'_>,
    login: String,
) -> Result<Reply, Error> {
    welcome_page(request, db, Some(login))
}

fn welcome_page(
    request: &RequestContext,
    db: &Read<'_>,
    login: Option<String>,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = catalogue
        .tree
        .first()
        .and_then(|id| catalogue.projects.get(id))
        .filter(|_| login.is_none());
    let page = WelcomePage {
        project: project.map(|project| (project.name.clone(), paths::project(project))),
        has_api: catalogue.is_on(Setting::RestApiEnabled),
        has_mail: request.app.config.mail.is_some(),
        frame: Frame::new(request, db, "Welcome").with_width(Width::Narrow),
        login,
    };
    render(&page.frame, &page)
}
