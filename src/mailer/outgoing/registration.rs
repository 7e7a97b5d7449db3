//! The link with which a new account is confirmed.

use super::content::{Block, Content};
use super::error::RenderError;
use super::recipient::Recipient;
use quarry_actions::accounts::registration::{LIFETIME, RegistrationMail, create_link};
use quarry_app::App;
use quarry_domain::administration::mail::Mail;

/// Creates the link, and returns the content with its recipient; `None` if the account does not wait for
/// confirmation any more, or its address got enough mails.
pub fn write(app: &App, mail: &Mail) -> Result<Option<(Recipient, Content)>, RenderError> {
    let Some(user) = mail.user else {
        return Ok(None);
    };
    let Some((address, registration)) = app.store.write(move |db| create_link(db, user))? else {
        return Ok(None);
    };
    // Mails to users are sent to active ones only, so this one is sent to the address alone.
    let mail = Mail {
        user: None,
        address,
        ..mail.clone()
    };
    Recipient::load_and_write(app, &mail, |recipient| {
        Ok(Some(content(recipient, &registration)))
    })
}

fn content(recipient: &Recipient, registration: &RegistrationMail) -> Content {
    let app_title = &recipient.app_title;
    let (title, blocks) = match registration {
        RegistrationMail::Link { token } => (
            "Confirm your account",
            vec![
                Block::Text(format!(
                    "Somebody has created an account at {app_title} with this mail address."
                )),
                recipient.link(
                    "Confirm the account",
                    &format!("/account/activate?token={token}"),
                ),
                Block::Text(format!(
                    "The link works once, for {} days. If it was not you, do nothing: the account is deleted then.",
                    LIFETIME.as_hours() / 24
                )),
            ],
        ),
        RegistrationMail::AddressTaken { login } => (
            "You already have an account",
            vec![
                Block::Text(format!(
                    "Somebody wanted to create an account at {app_title} with this mail address. It has the account {login} already, and nothing was changed. If it was not you, there is nothing to do."
                )),
                recipient.link("Log in, or ask for another password", "/login"),
            ],
        ),
    };
    Content {
        title: title.to_owned(),
        blocks,
        reason: "You get this mail because somebody has typed your mail address into the form for new accounts.".to_owned(),
        ..Content::default()
    }
}
