//! A warning about a change of or a login to the recipient's account.

use super::content::{Block, Content};
use super::recipient::Recipient;
use quarry_actions::accounts::account_warnings::{ADDRESS, AccountEvent, EVENT, USER_AGENT};
use quarry_domain::administration::mail::Mail;
use quarry_http::resources::user_agent::agent_name;

/// Returns the content; `None` for an event that this version does not know.
pub fn content(recipient: &Recipient, mail: &Mail) -> Option<Content> {
    let user = recipient.user.as_ref()?;
    let event = mail.data(EVENT).parse().ok()?;
    let title = match event {
        AccountEvent::ApiKey => "Your API key was replaced",
        AccountEvent::MailAddress => "Your mail address was changed",
        AccountEvent::MailAddressRequested => "A new mail address was requested for your account",
        AccountEvent::NewDevice => "Somebody logged in with a new device",
        AccountEvent::Password => "Your password was changed",
        AccountEvent::SecondFactorOff => "Two-factor authentication was switched off",
        AccountEvent::SecondFactorOn => "Two-factor authentication was switched on",
    };
    let time = mail.created_on.to_zoned(recipient.zone.clone());
    let mut facts = vec![
        ("Account", user.login.clone()),
        ("When", time.strftime("%Y-%m-%d %H:%M %Z").to_string()),
    ];
    if event == AccountEvent::NewDevice {
        facts.push(("Browser", agent_name(mail.data(USER_AGENT))));
        facts.push(("Address", mail.data(ADDRESS).to_owned()));
    }
    Some(Content {
        title: title.to_owned(),
        blocks: vec![
            Block::Facts(facts),
            Block::Text(
                "If it was you, there is nothing to do. If not, change your password, end the other sessions, and tell an administrator."
                    .to_owned(),
            ),
            recipient.link("My account", "/my/account"),
        ],
        reason: format!(
            "You get this mail because it concerns your account at {}. It cannot be switched off.",
            recipient.app_title
        ),
        ..Content::default()
    })
}
