//! Received mails: from the bytes to text, files and what may be a reply token.
//!
//! Invariants: time and memory are linear in the size of the mail; nothing that a mail contains makes
//! parsing panic; a text in the wrong character set becomes a readable text, never an error.

mod answer;
mod error;
mod fields;
mod flowed;
mod html;
mod parts;
#[cfg(test)]
mod tests;
mod text;

pub use error::MailError;

use fields::Field;
use quarry_domain::content::incoming_mail::IncomingMail;
use quarry_domain::content::reply_token;

/// Maximum size of a mail in bytes.
pub const MAX_MAIL_SIZE: usize = 30 * 1024 * 1024;
/// Maximum number of addresses in a header.
const MAX_ADDRESSES: usize = 100;
/// Maximum number of words that may be tokens.
const MAX_CANDIDATES: usize = 50;
/// Maximum length of a subject, a date and a message id in characters.
const MAX_LINE: usize = 998;
/// Maximum length in bytes of the text that is kept.
const MAX_TEXT: usize = 1024 * 1024;

/// The headers in which a reply token may be: addresses first, the newest first of the earlier mails.
const TOKEN_HEADERS: [&str; 7] = [
    "to",
    "cc",
    "delivered-to",
    "x-original-to",
    "envelope-to",
    "in-reply-to",
    "references",
];

/// Parses a mail. Cuts the answer at these lines and at the usual ones.
///
/// # Errors
/// For bytes that are no mail, and for a mail that exceeds a limit.
pub fn parse(raw: &[u8], delimiters: &str) -> Result<IncomingMail, MailError> {
    if raw.len() > MAX_MAIL_SIZE {
        return Err(MailError::TooLarge);
    }
    let raw = without_envelope_line(raw);
    let (header, _) = fields::split(raw);
    let fields = fields::parse(header)?;
    if fields.is_empty() {
        return Err(MailError::NoHeader);
    }
    let body = parts::parse(raw)?;
    let own_ids: Vec<&Field> = named(&fields, "message-id").collect();
    let text = text::clean(&body.text);
    Ok(IncomingMail {
        from: senders(&fields)?,
        subject: fields::decoded_line(&fields, "subject", MAX_LINE),
        date: fields::decoded_line(&fields, "date", 100),
        message_id: own_ids
            .first()
            .map(|field| text::line(field.value.trim(), MAX_LINE))
            .unwrap_or_default(),
        own_id_candidates: own_ids
            .iter()
            .flat_map(|field| token_words(&field.value))
            .take(MAX_CANDIDATES)
            .collect(),
        token_candidates: token_candidates(&fields)?,
        automatic: automatic_header(&fields),
        answer: answer::cut(&text, delimiters),
        text: text::truncate(text, MAX_TEXT),
        files: body.files,
    })
}

/// Removes the line `From sender date` before the header, which some mail servers pass to programs.
fn without_envelope_line(raw: &[u8]) -> &[u8] {
    if !raw.starts_with(b"From ") {
        return raw;
    }
    let end = raw.iter().position(|byte| *byte == b'\n');
    end.map_or(&[], |end| &raw[end + 1..])
}

fn named<'f>(fields: &'f [Field], name: &'f str) -> impl Iterator<Item = &'f Field> {
    fields.iter().filter(move |field| field.name == name)
}

/// Returns the addresses in `From`; none unless there is exactly one such header.
fn senders(fields: &[Field]) -> Result<Vec<String>, MailError> {
    let mut froms = named(fields, "from");
    match (froms.next(), froms.next()) {
        (Some(from), None) => fields::addresses(&from.value, MAX_ADDRESSES),
        _ => Ok(Vec::new()),
    }
}

fn token_candidates(fields: &[Field]) -> Result<Vec<String>, MailError> {
    let mut candidates: Vec<String> = Vec::new();
    for name in TOKEN_HEADERS {
        let mut words = Vec::new();
        for field in named(fields, name) {
            if field.value.matches('@').count() > MAX_ADDRESSES && name != "references" {
                return Err(MailError::TooManyAddresses);
            }
            words.extend(token_words(&field.value));
        }
        if name == "references" {
            words.reverse();
        }
        for word in words {
            if candidates.len() < MAX_CANDIDATES && !candidates.contains(&word) {
                candidates.push(word);
            }
        }
    }
    Ok(candidates)
}

/// Returns the words that are as long as reply tokens.
fn token_words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| {
            (reply_token::MIN_LENGTH..=reply_token::MAX_LOCAL_PART).contains(&word.len())
        })
        .map(str::to_ascii_lowercase)
}

/// Returns the header that shows that a program wrote the mail.
fn automatic_header(fields: &[Field]) -> Option<&'static str> {
    let mut header = None;
    for field in fields {
        let value = field.value.trim().to_ascii_lowercase();
        let word = value.split(';').next().unwrap_or_default().trim();
        let found = match field.name.as_str() {
            "auto-submitted" if word != "no" => Some("Auto-Submitted"),
            "precedence" if ["bulk", "junk", "list", "auto_reply"].contains(&word) => {
                Some("Precedence")
            }
            "x-auto-response-suppress" => Some("X-Auto-Response-Suppress"),
            "x-autoreply" | "x-autorespond" => Some("X-Autoreply"),
            "x-loop" => Some("X-Loop"),
            "return-path" if value.replace(' ', "") == "<>" => Some("Return-Path"),
            "content-type" if word == "multipart/report" => Some("Content-Type"),
            _ => None,
        };
        header = header.or(found);
    }
    header
}
