//! `/account/register`: people create accounts for themselves, if the setting `self_registration` allows it.
//!
//! Invariant: submissions are limited per client address, because the errors reveal which logins
//! exist.

mod confirm;

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::FieldKind;
use crate::components::form_page::FormPage;
use crate::components::login_form;
use crate::form::custom_fields::rows_of_new_user;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::registration as actions;
use quarry_actions::accounts::registration::{Registration, RegistrationState};
use quarry_actions::accounts::users::{NewPassword, UserChange};
use quarry_domain::validation::ValidationError;
use quarry_http::{GuardedSecret, SecretCheck};

const PATH: &str = "/account/register";
const PENDING_APPROVAL: &str =
    "Your account was created. You can log in as soon as an administrator has approved it.";
const CONFIRM: &str = "A mail with a link is on its way to your address. Open the link to use your account. It is valid for three days. If no mail arrives, create the account again in an hour.";
const ACCOUNT_ACTIVE: &str = "Your account was created. Log in with your password.";
const DISABLED: &str =
    "New accounts are created by administrators here. Ask one for an invitation.";

/// Returns the routes of the registration.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/account/register",
            get(read_handler(new).open()).post(
                write_handler(create)
                    .open()
                    .guarding(GuardedSecret::Registration),
            ),
        )
        .route(
            "/account/activate",
            get(read_handler(confirm::show).open()).post(write_handler(confirm::confirm).open()),
        )
}

/// `GET`: the form.
fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// `POST`: creates the account.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let again = |errors, status| {
        let reply = request.app.read(|db| page(request, db, errors))?;
        Ok(reply.with_status(status))
    };
    let invalid = StatusCode::UNPROCESSABLE_ENTITY;
    if request.app.read(actions::state_of_new_users)?.is_none() {
        return again(ValidationErrors::new(), StatusCode::FORBIDDEN);
    }
    if let Err(errors) = login_form::check_csrf(request) {
        return again(errors, invalid);
    }
    // Every submission counts as an attempt.
    if let SecretCheck::Delayed(seconds) = request.check_secret(|_| Ok(None::<()>))? {
        let error = ValidationError::for_record(format!(
            "Too many accounts were requested from this address. Try again in {seconds} s."
        ));
        return again(error.into(), StatusCode::TOO_MANY_REQUESTS);
    }
    let password = match login_form::password(request) {
        Ok(password) => password,
        Err(errors) => return again(errors, invalid),
    };
    let mut body = BodyFields::from_body(request, "user")?;
    let change = UserChange {
        login: body.text("login", "Login"),
        firstname: body.text("firstname", "First name"),
        lastname: body.text("lastname", "Last name"),
        mail: body.text("mail", "Email"),
        password: Some(NewPassword::Given(password)),
        custom: body.custom_fields(),
        ..UserChange::default()
    };
    body.check()?;
    match request.write(move |db, _| actions::register(db, &change)) {
        Ok(Registration { state, .. }) => {
            let message = match state {
                RegistrationState::Active => ACCOUNT_ACTIVE,
                RegistrationState::WaitsForApproval => PENDING_APPROVAL,
                RegistrationState::WaitsForMail => CONFIRM,
            };
            let flash = Flash::notice(message);
            Ok(redirect_with(request, "/login".to_owned(), &flash))
        }
        Err(Error::Invalid(errors)) => again(errors, invalid),
        Err(error) => Err(error),
    }
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let (frame, cookie) = login_form::frame(request, db, "Create an account");
    if actions::state_of_new_users(db)?.is_none() {
        return FormPage::new(frame, PATH, Vec::new())
            .with_refusal(DISABLED)
            .with_cancel("/login")
            .render();
    }
    let form = FieldBuilder::new("user", &request.body);
    let mut fields = vec![
        form.line("login", "Login", "").required(),
        form.line("firstname", "First name", "").required(),
        form.line("lastname", "Last name", "").required(),
        form.field(FieldKind::Email, "mail", "Email", "").required(),
    ];
    fields.extend(login_form::password_fields(catalogue, "Password"));
    fields.extend(rows_of_new_user(catalogue, &request.body, false));
    let mut form = FormPage::new(frame, PATH, fields);
    if actions::state_of_new_users(db)? == Some(RegistrationState::WaitsForApproval) {
        form = form.with_paragraph("An administrator approves new accounts.");
    }
    let form = form
        .with_submit("Create account")
        .with_cancel("/login")
        .with_errors(errors);
    login_form::render(form, cookie)
}
