//! What mails say. A mail is written when it is sent, with the rights, the language and the time zone
//! that its recipient has then.
//!
//! A new kind is a variant of `MailKind`, and a file here with a function that [`render`] calls. It
//! returns the content of the mail, or `None` when there is nothing to say any more.

mod account_warning;
mod content;
mod invitation;
mod lost_password;
mod notices;
mod recipient;
mod test;

pub use test::test_message;

use content::Content;
use quarry_actions::ActionError;
use quarry_app::App;
use quarry_domain::administration::mail::{Mail, MailKind};
use quarry_domain::values::mail_address::MailAddress;
use quarry_mail::outbound::Message;
use quarry_store::{Read, StoreError};
use recipient::Recipient;

/// Why a mail cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The records cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The mail itself is wrong.
    #[error("the mail cannot be written: {0}")]
    Content(String),
}

impl RenderError {
    /// Returns the error of an action that a mail needs.
    fn from_action(error: ActionError) -> RenderError {
        match error {
            ActionError::Store(error) => RenderError::Store(error),
            error => RenderError::Content(error.to_string()),
        }
    }
}

/// Writes a mail; `None` when there is nothing to say any more: the recipient is locked, has no
/// address, or may no longer see what it is about.
pub fn render(app: &App, from: &MailAddress, mail: &Mail) -> Result<Option<Message>, RenderError> {
    let kind = mail
        .kind
        .ok_or_else(|| RenderError::Content("this version does not know its kind".to_owned()))?;
    if kind == MailKind::LostPassword {
        return lost_password::render(app, from, mail);
    }
    if kind == MailKind::Notices {
        return notices::render(app, from, mail);
    }
    let Some(recipient) = find_recipient(app, mail)? else {
        return Ok(None);
    };
    let content = match kind {
        MailKind::Test => Some(test::content()),
        MailKind::AccountWarning => account_warning::content(&recipient, mail),
        MailKind::Invitation => invitation::content(app, &recipient)?,
        MailKind::LostPassword | MailKind::Notices => None,
    };
    content
        .map(|content| message(from, mail, &recipient, &content))
        .transpose()
}

/// Returns who gets a mail; `None` if nobody can.
fn find_recipient(app: &App, mail: &Mail) -> Result<Option<Recipient>, RenderError> {
    let find = |db: &Read<'_>| Ok(Recipient::find(app, db, mail));
    Ok(app.store.read::<_, StoreError>(find)?)
}

/// Returns the message with a content.
fn message(
    from: &MailAddress,
    mail: &Mail,
    recipient: &Recipient,
    content: &Content,
) -> Result<Message, RenderError> {
    let app_title = &recipient.app_title;
    let mut from = from.clone();
    if from.name.is_empty() {
        from.name.clone_from(app_title);
    }
    Ok(Message {
        from,
        to: recipient.address.clone(),
        reply_to: None,
        subject: format!("[{app_title}] {}", content.title),
        text: content.to_text(),
        html: content.to_html()?,
        date: recipient.now,
        message_id: mail.message_id.clone(),
        references: Vec::new(),
        list: None,
        headers: Vec::new(),
    })
}
