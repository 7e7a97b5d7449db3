//! A message, and its form on the wire.
//!
//! Texts of records become headers only here: control characters are removed, and what is not ASCII
//! is encoded (RFC 2047), so that no text can end its header.

use super::error::SendError;
use jiff::Timestamp;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, address::Envelope};
use quarry_domain::values::mail_address::{MailAddress, is_valid_address};
use std::time::SystemTime;

/// Maximum number of characters of a subject.
const MAX_SUBJECT: usize = 250;
/// Maximum number of messages that `References` names.
const MAX_REFERENCES: usize = 20;
/// The name of the program in `X-Mailer`.
const MAILER: &str = "Quarry";

/// The headers of a mailing list (RFC 2919, RFC 2369), by which programs group messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListHeaders {
    /// A name for people.
    pub name: String,
    /// The id, such as `project.tracker.example.org`.
    pub id: String,
    /// The URL that unsubscribes with one `POST` (RFC 8058).
    pub unsubscribe: Option<String>,
}

/// An outgoing message.
#[derive(Clone, Debug)]
pub struct Message {
    pub from: MailAddress,
    pub to: MailAddress,
    pub reply_to: Option<MailAddress>,
    pub subject: String,
    /// The plain-text version.
    pub text: String,
    /// The HTML version.
    pub html: String,
    pub date: Timestamp,
    /// The id without angle brackets. Sending a message again keeps it.
    pub message_id: String,
    /// The ids of earlier messages of the thread, the latest last.
    pub references: Vec<String>,
    pub list: Option<ListHeaders>,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
}

impl Message {
    /// Returns the envelope and the bytes of the message.
    ///
    /// # Errors
    /// `Permanent` if an address or a header is invalid.
    pub(super) fn to_wire(&self) -> Result<(Envelope, Vec<u8>), SendError> {
        let from = mailbox(&self.from)?;
        let to = mailbox(&self.to)?;
        let envelope =
            Envelope::new(Some(from.email.clone()), vec![to.email.clone()]).map_err(permanent)?;
        let mut builder = lettre::Message::builder()
            .envelope(envelope.clone())
            .from(from)
            .to(to)
            .subject(line(&self.subject, MAX_SUBJECT))
            .date(SystemTime::from(self.date))
            .message_id(Some(bracketed(&self.message_id)));
        if let Some(reply_to) = &self.reply_to {
            builder = builder.reply_to(mailbox(reply_to)?);
        }
        let first = self.references.len().saturating_sub(MAX_REFERENCES);
        let references: Vec<String> = self.references[first..]
            .iter()
            .map(|id| bracketed(id))
            .collect();
        let mut message = builder
            .multipart(MultiPart::alternative_plain_html(
                self.text.clone(),
                self.html.clone(),
            ))
            .map_err(permanent)?;
        let headers = message.headers_mut();
        let mut insert = |header: HeaderValue| headers.insert_raw(header);
        if let Some(last) = references.last() {
            insert(verbatim("In-Reply-To", last)?);
            // Folded at each id: no line may be longer than 998 characters.
            insert(verbatim("References", &references.join("\r\n "))?);
        }
        insert(encoded("Auto-Submitted", "auto-generated")?);
        insert(encoded("X-Mailer", MAILER)?);
        insert(encoded("X-Auto-Response-Suppress", "All")?);
        if let Some(list) = &self.list {
            let id = format!(
                "{} <{}>",
                line(&list.name, MAX_SUBJECT).replace(['<', '>'], ""),
                atom(&list.id)
            );
            insert(encoded("List-Id", &id)?);
            if let Some(address) = &list.unsubscribe {
                insert(verbatim("List-Unsubscribe", &bracketed(address))?);
                insert(encoded(
                    "List-Unsubscribe-Post",
                    "List-Unsubscribe=One-Click",
                )?);
            }
        }
        for (name, value) in &self.headers {
            insert(encoded(name, value)?);
        }
        Ok((envelope, message.formatted()))
    }
}

fn permanent(error: impl std::fmt::Display) -> SendError {
    SendError::Permanent(crate::one_line::one_line(&error.to_string()))
}

/// Returns an address with a name. The name is one line, which lettre quotes or encodes.
fn mailbox(address: &MailAddress) -> Result<Mailbox, SendError> {
    let parsed = is_valid_address(&address.address)
        .then(|| address.address.parse::<Address>().ok())
        .flatten();
    let parsed = parsed.ok_or_else(|| {
        SendError::Permanent(crate::one_line::one_line(&format!(
            "{} is not a mail address",
            address.address
        )))
    })?;
    let name = line(&address.name, MAX_SUBJECT);
    Ok(Mailbox::new((!name.is_empty()).then_some(name), parsed))
}

/// Returns a text as one line without control characters. A zero-width space in `=?`, the beginning of an
/// encoded word (RFC 2047), keeps mail programs from decoding what somebody typed.
fn line(text: &str, max: usize) -> String {
    let text: String = text
        .chars()
        .map(|c| {
            // Line separators of Unicode are line breaks for some programs.
            if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
                ' '
            } else {
                c
            }
        })
        .collect();
    let text = text.trim().replace("=?", "=\u{200b}?");
    text.chars().take(max).collect()
}

/// Returns the characters that an id may have: printable ASCII without brackets and quotes.
fn atom(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_ascii_graphic() && !"<>()\"\\,;".contains(*c))
        .take(MAX_SUBJECT)
        .collect()
}

/// Returns an id or an address in angle brackets.
fn bracketed(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|c| c.is_ascii_graphic() && !"<>".contains(*c))
        .take(900)
        .collect();
    format!("<{text}>")
}

fn header_name(name: &str) -> Result<HeaderName, SendError> {
    HeaderName::new_from_ascii(name.to_owned()).map_err(permanent)
}

/// Returns a header with a text, encoded if necessary.
fn encoded(name: &str, value: &str) -> Result<HeaderValue, SendError> {
    let value = line(value, 900);
    Ok(HeaderValue::new(header_name(name)?, value))
}

/// Returns a header with a value that is ASCII and must not be folded elsewhere.
fn verbatim(name: &str, value: &str) -> Result<HeaderValue, SendError> {
    let name = header_name(name)?;
    Ok(HeaderValue::dangerous_new_pre_encoded(
        name,
        value.to_owned(),
        value.to_owned(),
    ))
}
