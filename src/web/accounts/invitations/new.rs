//! `/invitations/new`: creates a user who chooses a password with a link, and makes them a member
//! of a project.

use super::fields;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FieldKind, typed};
use crate::components::form_page::{FormPage, Section};
use crate::components::list_page::Link;
use crate::form::custom_fields::rows_of_new_user;
use crate::form::{audit_user, show_again};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::invitations as actions;
use quarry_actions::accounts::users::UserChange;
use quarry_domain::accounts::invitation::LIFETIME;
use quarry_domain::values::patch::Patch;

const PATH: &str = "/invitations/new";

/// `GET`: the form, filled from the query string, such as `membership[project_id]`.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: invites the user, and shows the link.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let again = |errors| show_again(request, |db| page(request, db, &request.body, errors));
    let (change, membership) = match parse_form(&request.body) {
        Ok(parsed) => parsed,
        Err(Error::Invalid(errors)) => return again(errors),
        Err(error) => return Err(error),
    };
    let login = change.login.value().cloned().unwrap_or_default();
    let mail = change.mail.value().cloned().unwrap_or_default();
    let delivery = fields::delivery(request);
    let invited = request.write(move |db, viewer| {
        let membership = membership
            .as_ref()
            .map(|(project, roles)| (*project, roles.as_slice()));
        actions::create(db, viewer, &change, membership, delivery)
    });
    match invited {
        Ok(invited) => {
            let id = invited.user.id;
            audit_user(request, id, login.trim(), &invited.user.changes);
            match &invited.token {
                Some(token) => link_page(request, id, token),
                None => {
                    let address = mail.trim();
                    let flash = Flash::notice(format!("An invitation is sent to {address}."));
                    Ok(redirect_with(request, "/users".to_owned(), &flash))
                }
            }
        }
        Err(Error::Invalid(errors)) => again(errors),
        Err(error) => Err(error),
    }
}

/// `POST /users/:id/invitation`: shows a new link; the former one stops working.
pub fn renew(request: &RequestContext) -> Result<Reply, Error> {
    let id: UserId = request.id_param("id")?;
    let token = request.write(move |db, viewer| actions::renew(db, viewer, id))?;
    link_page(request, id, &token)
}

/// A user to create, and the project that they become a member of, with their roles.
type ParsedForm = (UserChange, fields::Membership);

/// Parses the form. A login that is not given is the first part of the mail address.
fn parse_form(body: &Input) -> Result<ParsedForm, Error> {
    let mut user = BodyFields::from_input(body, "user")?;
    let mail = user.text("mail", "Email");
    let typed = user.text("login", "Login");
    let is_blank = typed.value().is_none_or(|login| login.trim().is_empty());
    let local_part = mail.value().and_then(|mail| mail.split('@').next());
    let login = match local_part.filter(|_| is_blank) {
        Some(local_part) => Patch::Set(local_part.trim().to_owned()),
        None => typed,
    };
    let change = UserChange {
        login,
        firstname: user.text("firstname", "First name"),
        lastname: user.text("lastname", "Last name"),
        mail,
        custom: user.custom_fields(),
        ..UserChange::default()
    };
    user.check()?;
    Ok((change, fields::parse_membership(body)?))
}

/// Returns the address of the form for several people, with the project of this one.
fn several_path(sent: &Input) -> String {
    match typed(sent, "membership[project_id]").filter(|id| !id.is_empty()) {
        Some(id) => format!(
            "/invitations/several?membership%5Bproject_id%5D={}",
            paths::encode(&id)
        ),
        None => "/invitations/several".to_owned(),
    }
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let user = FieldBuilder::new("user", sent);
    let mut person = vec![
        user.field(FieldKind::Email, "mail", "Email", "").required(),
        user.line("firstname", "First name", "").required(),
        user.line("lastname", "Last name", "").required(),
        user.line("login", "Login", "")
            .with_hint("Empty: the part of the mail address before the @."),
    ];
    person.extend(rows_of_new_user(catalogue, sent, true));
    person.extend(fields::mail_field(db, sent, "Send the link by mail")?);
    let sections = vec![
        Section::new("", person),
        fields::membership_section(request, db, sent)?,
    ];
    let frame = Frame::for_administration(request, db, "Invite a user").below("Users", "/users");
    FormPage::with_sections(frame, PATH, sections)
        .with_links(vec![Link::new(
            "Invite several people at once",
            several_path(sent),
        )])
        .with_submit("Invite")
        .with_cancel("/users")
        .with_errors(errors)
        .render()
}

#[derive(Template)]
#[template(path = "accounts/invitations/link.html")]
struct LinkPage {
    frame: Frame,
    id: UserId,
    name: String,
    login: String,
    link: String,
    days: i64,
}

/// Shows the link, which is stored nowhere.
fn link_page(request: &RequestContext, id: UserId, token: &str) -> Result<Reply, Error> {
    request.app.read(|db| {
        let user = db.catalogue().users.get(&id).ok_or(Error::NotFound)?;
        let title = format!("Invitation of {}", user.name);
        let page = LinkPage {
            frame: Frame::for_administration(request, db, title)
                .with_width(Width::Narrow)
                .below("Users", "/users"),
            id,
            name: user.name.clone(),
            login: user.login.clone(),
            link: format!("{}/invitation?token={token}", request.base_url()),
            days: LIFETIME.as_hours() / 24,
        };
        render(&page.frame, &page)
    })
}
