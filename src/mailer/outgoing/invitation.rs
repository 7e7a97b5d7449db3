//! An invitation: a link with which a new user chooses a password.

use super::content::{Block, Content};
use super::error::RenderError;
use super::recipient::Recipient;
use quarry_actions::accounts::invitations::create_link;
use quarry_app::App;
use quarry_domain::accounts::invitation::LIFETIME;

/// Creates the link, and returns the content; `None` if the user already has a password.
pub fn content(app: &App, recipient: &Recipient) -> Result<Option<Content>, RenderError> {
    let Some(user) = &recipient.user else {
        return Ok(None);
    };
    let id = user.id;
    let token = app.store.write(move |db| create_link(db, id))?;
    let days = LIFETIME.as_hours() / 24;
    Ok(token.map(|token| Content {
        title: format!("Welcome to {}", recipient.app_title),
        blocks: vec![
            Block::Text(format!(
                "An administrator has created the account {} for you. Choose a password to use it.",
                user.login
            )),
            recipient.link("Choose a password", &format!("/invitation?token={token}")),
            Block::Text(format!("The link works once, for {days} days.")),
        ],
        reason: "You get this mail because an administrator has invited you.".to_owned(),
        ..Content::default()
    }))
}
