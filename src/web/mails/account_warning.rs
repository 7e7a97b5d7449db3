//! A warning about a change of the own account.

use super::content::{Block, Content};
use super::recipient::Recipient;
use quarry_actions::account_warnings::{AccountEvent, EVENT};
use quarry_domain::administration::mail::Mail;

/// Returns the content; `None` for an event that this version does not know.
pub fn content(recipient: &Recipient, mail: &Mail) -> Option<Content> {
    let user = recipient.user.as_ref()?;
    let title = match AccountEvent::from_name(mail.data(EVENT))? {
        AccountEvent::ApiKey => "Your API key was replaced",
        AccountEvent::MailAddress => "Your mail address was changed",
        AccountEvent::Password => "Your password was changed",
        AccountEvent::SecondFactorOff => "Two-factor authentication was switched off",
        AccountEvent::SecondFactorOn => "Two-factor authentication was switched on",
    };
    let time = mail.created_on.to_zoned(recipient.zone.clone());
    Some(Content {
        title: title.to_owned(),
        blocks: vec![
            Block::Facts(vec![
                ("Account", user.login.clone()),
                ("When", time.strftime("%Y-%m-%d %H:%M %Z").to_string()),
            ]),
            Block::Text(
                "If it was you, there is nothing to do. If not, change your password, end the other sessions, and tell an administrator."
                    .to_owned(),
            ),
            Block::Link {
                label: "My account".to_owned(),
                url: format!("{}/my/account", recipient.base_url),
            },
        ],
        links: Vec::new(),
        reply_delimiter: None,
        reason: format!(
            "You get this mail because it concerns your account at {}. It cannot be switched off.",
            recipient.app_title
        ),
    })
}
