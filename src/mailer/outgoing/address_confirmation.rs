//! The link with which a user confirms another mail address.

use super::content::{Block, Content};
use super::error::RenderError;
use super::recipient::Recipient;
use quarry_actions::accounts::address_changes::{LIFETIME, create_link};
use quarry_app::App;
use quarry_domain::administration::mail::Mail;

/// Creates the link, and returns the content with its recipient; `None` if no address of the user waits
/// any more, the user is not active, or the address got enough mails.
pub fn write(app: &App, mail: &Mail) -> Result<Option<(Recipient, Content)>, RenderError> {
    let Some(user) = mail.user else {
        return Ok(None);
    };
    let topic = mail.topic.clone();
    let Some((address, token)) = app.store.write(move |db| create_link(db, user, &topic))? else {
        return Ok(None);
    };
    // To the address alone, without the names that the user has chosen: it may be somebody else's.
    let mail = Mail {
        user: None,
        address,
        ..mail.clone()
    };
    Recipient::load_and_write(app, &mail, |recipient| Ok(Some(content(recipient, &token))))
}

fn content(recipient: &Recipient, token: &str) -> Content {
    let app_title = &recipient.app_title;
    Content {
        title: "Confirm your mail address".to_owned(),
        blocks: vec![
            Block::Text(format!(
                "Somebody wants to use this mail address for an account at {app_title}."
            )),
            recipient.link("Confirm the address", &format!("/my/address?token={token}")),
            Block::Text(format!(
                "The link works once, for {} days, for the user who is logged in to that account. If it was not you, do nothing: the address is not used then.",
                LIFETIME.as_hours() / 24
            )),
        ],
        reason: "You get this mail because somebody has typed your mail address into the form of an account.".to_owned(),
        ..Content::default()
    }
}
