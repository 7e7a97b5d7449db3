//! The contents of mails. A mail is written when it is sent, with the permissions, the address and the
//! time zone that its recipient has at that moment.
//!
//! A new kind needs a variant of `MailKind`, and a file here with a function that [`render`] calls. The
//! function returns the content of the mail, or `None` if it should not be sent any more.

mod account_warning;
mod content;
mod digest;
mod error;
mod invitation;
mod lost_password;
mod message;
mod notices;
mod recipient;
mod registration;
mod reminder;
mod test;

pub use error::RenderError;
pub use test::test_message;

use message::message;
use quarry_app::App;
use quarry_domain::administration::mail::{Mail, MailKind};
use quarry_domain::values::mail_address::MailAddress;
use quarry_mail::outbound::Message;
use recipient::Recipient;

/// Writes a mail; `None` if it should not be sent any more: the recipient is locked, has no address, or
/// may no longer see what it is about.
pub fn render(app: &App, from: &MailAddress, mail: &Mail) -> Result<Option<Message>, RenderError> {
    let kind = mail
        .kind
        .ok_or_else(|| RenderError::Content("this version does not know its kind".to_owned()))?;
    if kind == MailKind::LostPassword {
        return lost_password::render(app, from, mail);
    }
    if kind == MailKind::Registration {
        return registration::render(app, from, mail);
    }
    if kind == MailKind::Notices {
        return notices::render(app, from, mail);
    }
    let Some(recipient) = Recipient::load(app, mail)? else {
        return Ok(None);
    };
    let content = match kind {
        MailKind::AccountWarning => account_warning::content(&recipient, mail),
        MailKind::Digest => digest::content(app, &recipient, mail)?,
        MailKind::Invitation => invitation::content(app, &recipient)?,
        MailKind::LostPassword | MailKind::Notices | MailKind::Registration => None,
        MailKind::Reminder => reminder::content(app, &recipient, mail)?,
        MailKind::Test => Some(test::content()),
    };
    content
        .map(|content| message(from, mail, &recipient, &content))
        .transpose()
}
