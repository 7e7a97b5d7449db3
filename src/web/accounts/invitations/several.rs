//! `/invitations/several`: invites a person for each line of a text.

use super::fields;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::{FormPage, Section};
use crate::form::custom_fields::rows_of_new_user;
use crate::form::{audit_user, field, save_with_reply};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::invitations::{self as actions, Invited};
use quarry_actions::accounts::users::UserChange;
use quarry_domain::accounts::invitation::LIFETIME;
use std::fmt::Write as _;

const PATH: &str = "/invitations/several";
const PEOPLE: &str = "people";
const HINT: &str = "One person a line, at most 100: an address, First Last <address>, or address, First, Last. Names that are missing come from the address: ada.lovelace@example.org is Ada Lovelace. Logins are what is before the @.";

/// `GET`: the form, filled from the query string, such as `membership[project_id]`.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: invites all of them or nobody, and shows the links.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    save_with_reply(
        request,
        || {
            let text = field(request, PEOPLE);
            let mut user = BodyFields::from_input(&request.body, "user")?;
            let shared = UserChange {
                custom: user.custom_fields(),
                ..UserChange::default()
            };
            user.check()?;
            let membership = fields::parse_membership(&request.body)?;
            let delivery = fields::delivery(request);
            request.write(move |db, viewer| {
                let membership = membership
                    .as_ref()
                    .map(|(project, roles)| (*project, roles.as_slice()));
                actions::create_several(db, viewer, &text, &shared, membership, delivery)
            })
        },
        |invited| show_links(request, &invited),
        |db, errors| page(request, db, &request.body, errors),
    )
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let form = FieldBuilder::without_object(sent);
    let mut people = vec![
        form.long_text(PEOPLE, "People", "")
            .required()
            .with_hint(HINT),
    ];
    people.extend(rows_of_new_user(db.catalogue(), sent, true));
    people.extend(fields::mail_field(db, sent, "Send the links by mail")?);
    let sections = vec![
        Section::new("", people),
        fields::membership_section(request, db, sent)?,
    ];
    let frame = Frame::for_administration(request, db, "Invite people").below("Users", "/users");
    FormPage::with_sections(frame, PATH, sections)
        .with_submit("Invite")
        .with_cancel("/users")
        .with_errors(errors)
        .render()
}

/// An invited person.
struct Row {
    id: UserId,
    name: String,
    login: String,
    /// The link; `None` if a mail has it.
    link: Option<String>,
}

#[derive(Template)]
#[template(path = "accounts/invitations/links.html")]
struct LinksPage {
    frame: Frame,
    rows: Vec<Row>,
    /// A line for each link, with the name and the address of the person.
    text: String,
    days: i64,
}

/// Shows the links, which are stored nowhere.
fn show_links(request: &RequestContext, invited: &[Invited]) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let mut rows = Vec::new();
    let mut text = String::new();
    for invited in invited {
        let id = invited.user.id;
        let user = catalogue.users.get(&id).ok_or(Error::NotFound)?;
        audit_user(request, id, &user.login, &invited.user.changes);
        let token = invited.token.as_ref();
        let link = token.map(|token| format!("{}/invitation?token={token}", request.base_url()));
        if let Some(link) = &link {
            let _ = writeln!(text, "{} <{}>: {link}", user.name, user.mail);
        }
        rows.push(Row {
            id,
            name: user.name.clone(),
            login: user.login.clone(),
            link,
        });
    }
    if text.is_empty() {
        let message = match rows.len() {
            1 => "1 invitation is sent.".to_owned(),
            count => format!("{count} invitations are sent."),
        };
        let flash = Flash::notice(message);
        return Ok(redirect_with(request, "/users".to_owned(), &flash));
    }
    request.app.read(|db| {
        let title = match rows.len() {
            1 => "1 person is invited".to_owned(),
            count => format!("{count} people are invited"),
        };
        let page = LinksPage {
            frame: Frame::for_administration(request, db, title)
                .with_width(Width::Medium)
                .below("Users", "/users"),
            rows,
            text,
            days: LIFETIME.as_hours() / 24,
        };
        render(&page.frame, &page)
    })
}
