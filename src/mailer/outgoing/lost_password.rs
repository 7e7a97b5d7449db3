//! A link with which a user chooses a new password.

use super::content::{Block, Content};
use super::error::RenderError;
use super::recipient::Recipient;
use quarry_actions::accounts::lost_passwords::{LIFETIME, create_link};
use quarry_app::App;
use quarry_domain::administration::mail::Mail;

/// Finds the user, creates the link, and returns the content with its recipient; `None` if nobody has
/// the address, or the user may not get another link.
pub fn write(app: &App, mail: &Mail) -> Result<Option<(Recipient, Content)>, RenderError> {
    let id = mail.id;
    let address = mail.address.clone();
    let created = app.store.write(move |db| create_link(db, id, &address))?;
    let Some((user, token)) = created else {
        return Ok(None);
    };
    // It goes to the address of the account, which may differ in case from the one in the form.
    let mail = Mail {
        user: Some(user),
        address: String::new(),
        ..mail.clone()
    };
    Recipient::load_and_write(app, &mail, |recipient| Ok(content(recipient, &token)))
}

fn content(recipient: &Recipient, token: &str) -> Option<Content> {
    let user = recipient.user.as_ref()?;
    let minutes = LIFETIME.as_mins();
    Some(Content {
        title: "Choose another password".to_owned(),
        blocks: vec![
            Block::Text(format!(
                "Somebody has asked for another password of the account {} at {}.",
                user.login, recipient.app_title
            )),
            recipient.link(
                "Choose another password",
                &format!("/account/lost_password?token={token}"),
            ),
            Block::Text(format!(
                "The link works once, for {minutes} minutes. If it was not you, do nothing: your password stays as it is."
            )),
        ],
        reason: "You get this mail because somebody has typed your mail address into the form for lost passwords.".to_owned(),
        ..Content::default()
    })
}
