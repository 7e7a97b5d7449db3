//! The contents of mails. A mail is written when it is sent, with the permissions, the address and the
//! time zone that its recipient has at that moment.
//!
//! A new kind needs a variant of `MailKind`, and a file here with a function that [`render`] calls. A
//! function `content` gets the recipient and returns the content; a function `write` first creates a
//! link, and loads the recipient after that. Both return `None` if the mail should not be sent any more.

mod account_approval;
mod account_warning;
mod address_confirmation;
mod backup_failure;
mod content;
mod digest;
mod error;
mod event_texts;
mod invitation;
mod issue_facts;
mod lost_password;
mod message;
mod notices;
mod recipient;
mod registration;
mod reminder;
mod test;

pub use error::RenderError;
pub use test::test_message;

use content::Content;
use message::message;
use quarry_actions::notices::unsubscribe::{self, Subscription};
use quarry_app::App;
use quarry_domain::administration::mail::{Mail, MailKind};
use quarry_domain::values::mail_address::MailAddress;
use quarry_mail::outgoing::{ListHeaders, Message};
use recipient::Recipient;

/// Writes a mail; `None` if it should not be sent any more: the recipient is locked, has no address, or
/// may no longer see what it is about.
pub fn render(app: &App, from: &MailAddress, mail: &Mail) -> Result<Option<Message>, RenderError> {
    let kind = mail
        .kind
        .ok_or_else(|| RenderError::Content("this version does not know its kind".to_owned()))?;
    let write_to_recipient =
        |content: &dyn Fn(&Recipient) -> Result<Option<Content>, RenderError>| {
            Recipient::load_and_write(app, mail, content)
        };
    let written = match kind {
        MailKind::AccountActivated => {
            write_to_recipient(&|to| Ok(Some(account_approval::activated(to))))
        }
        MailKind::AccountWarning => {
            write_to_recipient(&|to| Ok(account_warning::content(to, mail)))
        }
        MailKind::AddressConfirmation => address_confirmation::write(app, mail),
        MailKind::BackupFailure => write_to_recipient(&|to| Ok(backup_failure::content(to, mail))),
        MailKind::Digest => write_to_recipient(&|to| digest::content(app, to, mail)),
        MailKind::Invitation => write_to_recipient(&|to| invitation::content(app, to)),
        MailKind::LostPassword => lost_password::write(app, mail),
        MailKind::NewAccount => write_to_recipient(&|to| account_approval::waiting(app, to, mail)),
        MailKind::Notices => return notices::render(app, from, mail),
        MailKind::Registration => registration::write(app, mail),
        MailKind::Reminder => write_to_recipient(&|to| reminder::content(app, to, mail)),
        MailKind::Test => write_to_recipient(&|_| Ok(Some(test::content()))),
    };
    let Some((recipient, mut content)) = written? else {
        return Ok(None);
    };
    let list = subscription(kind).zip(mail.user).map(|(ended, user)| {
        let url = unsubscribe::url(app.store.secrets(), &recipient.base_url, user, ended);
        content.links.push(("Unsubscribe", url.clone()));
        ListHeaders {
            name: content.title.clone(),
            id: format!("{}.{}", kind.name(), recipient.host()),
            unsubscribe: Some(url),
        }
    });
    let message = message(from, mail, &recipient, &content)?;
    Ok(Some(Message { list, ..message }))
}

/// Returns what the recipient of a regular mail can end.
fn subscription(kind: MailKind) -> Option<Subscription> {
    match kind {
        MailKind::Digest => Some(Subscription::Digests),
        MailKind::Reminder => Some(Subscription::Reminders),
        _ => None,
    }
}
