//! An account that waits for an administrator, and one that an administrator has activated.

use super::content::{Block, Content};
use super::error::RenderError;
use super::recipient::Recipient;
use quarry_actions::accounts::account_approvals::ACCOUNT;
use quarry_app::App;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::mail::Mail;
use quarry_domain::ids::UserId;
use quarry_http::resources::paths;

/// Returns the content of the mail to an administrator; `None` if the account does not wait any more, or
/// the recipient is no administrator any more.
pub fn waiting(
    app: &App,
    recipient: &Recipient,
    mail: &Mail,
) -> Result<Option<Content>, RenderError> {
    let is_administrator = recipient.user.as_ref().is_some_and(|user| user.admin);
    let Some(id) = mail.data(ACCOUNT).parse().ok().filter(|_| is_administrator) else {
        return Ok(None);
    };
    let catalogue = app.store.catalogue()?;
    let account = catalogue.users.get(&UserId(id));
    let Some(account) = account.filter(|account| account.status == UserStatus::Registered) else {
        return Ok(None);
    };
    let time = account.created_on.to_zoned(recipient.zone.clone());
    let path = paths::edit_user(account.id);
    Ok(Some(Content {
        title: "A new account waits for approval".to_owned(),
        blocks: vec![
            Block::Facts(vec![
                ("Login", account.login.clone()),
                ("First name", account.firstname.clone()),
                ("Last name", account.lastname.clone()),
                ("Email", account.mail.clone()),
                ("Created", time.strftime("%Y-%m-%d %H:%M %Z").to_string()),
            ]),
            recipient.link("Approve or delete the account", &path),
            Block::Text(
                "You get at most five such mails in an hour. Other accounts may wait as well."
                    .to_owned(),
            ),
            recipient.link("All accounts that wait", "/users?status=2"),
        ],
        reason: format!(
            "You get this mail because you are an administrator of {}. It cannot be switched off.",
            recipient.app_title
        ),
        ..Content::default()
    }))
}

/// Returns the content of the mail to the user. It does not have the login, which may look like a link:
/// somebody else may have typed the mail address of the recipient.
pub fn activated(recipient: &Recipient) -> Content {
    let app_title = &recipient.app_title;
    Content {
        title: "Your account was activated".to_owned(),
        blocks: vec![
            Block::Text(format!(
                "An administrator has activated your account at {app_title}. You can log in now."
            )),
            recipient.link("Log in", "/login"),
        ],
        reason: format!("You get this mail because you have an account at {app_title}."),
        ..Content::default()
    }
}
