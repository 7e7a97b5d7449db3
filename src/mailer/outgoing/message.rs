//! Makes a message of the content of a mail.

use super::content::Content;
use super::error::RenderError;
use super::recipient::Recipient;
use quarry_domain::administration::mail::Mail;
use quarry_domain::values::mail_address::MailAddress;
use quarry_mail::outgoing::Message;

/// Returns the message with this content. The name of the installation is used for a sender without a
/// name, and begins the subject.
pub fn message(
    from: &MailAddress,
    mail: &Mail,
    recipient: &Recipient,
    content: &Content,
) -> Result<Message, RenderError> {
    let app_title = &recipient.app_title;
    let mut from = from.clone();
    if from.name.is_empty() {
        from = MailAddress::new(app_title, &from.address);
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
