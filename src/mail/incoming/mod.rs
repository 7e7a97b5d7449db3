//! Received mails: parses the bytes into text, files and candidates for reply tokens.
//!
//! Invariants: time and memory are linear in the size of the mail; no mail makes parsing panic; a text in
//! a wrong character set is decoded as well as possible and is never an error.

mod answer;
#[cfg(test)]
mod answer_tests;
mod attached;
mod automatic;
mod device;
mod encoded_words;
mod entity;
mod error;
mod fields;
mod flowed;
mod html;
mod parameters;
mod parts;
mod quote;
#[cfg(test)]
mod tests;
mod text;
#[cfg(test)]
mod time_growth;

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

/// Maximum length in bytes of the text in which the answer is searched for.
const MAX_READ: usize = 2 * 1024 * 1024;

/// The headers that may contain a reply token, in the order in which they are tried: delivery address,
/// recipients, then earlier mails, the latest first.
const TOKEN_HEADERS: [&str; 7] = [
    "delivered-to",
    "x-original-to",
    "envelope-to",
    "to",
    "cc",
    "in-reply-to",
    "references",
];

/// Parses only the header of a mail, which is enough to authenticate its sender. Texts and files of the
/// result are empty.
///
/// # Errors
/// If the bytes are no mail, or a header exceeds a limit.
pub fn parse_head(raw: &[u8]) -> Result<IncomingMail, MailError> {
    if raw.len() > MAX_MAIL_SIZE {
        return Err(MailError::TooLarge);
    }
    let (header, _) = fields::split(without_envelope_line(raw));
    let fields = fields::parse(header)?;
    if fields.is_empty() {
        return Err(MailError::NoHeader);
    }
    let own_ids: Vec<&Field> = named(&fields, "message-id").collect();
    let subject = fields::decoded_line(&fields, "subject", MAX_LINE);
    Ok(IncomingMail {
        from: senders(&fields)?,
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
        automatic: automatic::header(&fields, &subject),
        subject,
        ..IncomingMail::default()
    })
}

/// Parses a mail. `delimiters` are delimiters of the answer in addition to the usual one, one per line.
///
/// # Errors
/// If the bytes are no mail, or the mail exceeds a limit.
pub fn parse(raw: &[u8], delimiters: &str) -> Result<IncomingMail, MailError> {
    let head = parse_head(raw)?;
    let body = parts::parse(without_envelope_line(raw))?;
    let is_complete = body.text.len() <= MAX_READ;
    let read = &body.text[..body.text.floor_char_boundary(MAX_READ)];
    let text = text::clean(read);
    let mut answer = answer::cut(&text, delimiters);
    if !is_complete && !answer.is_empty() && text.trim_end().ends_with(&answer) {
        answer.push_str("\n…");
    }
    Ok(IncomingMail {
        answer: text::truncate(answer, MAX_TEXT),
        text_without_signature: text::truncate(answer::without_signature(&text), MAX_TEXT),
        text: text::truncate(text, MAX_TEXT),
        files: body.files,
        ..head
    })
}

/// Removes the mbox line `From sender date` before the header, which some mail servers add for programs.
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

/// Returns the addresses in `From`; none unless there is exactly one such header, without white space
/// before its colon.
fn senders(fields: &[Field]) -> Result<Vec<String>, MailError> {
    let mut froms = named(fields, "from");
    match (froms.next(), froms.next()) {
        (Some(from), None) if !from.has_space => fields::addresses(&from.value, MAX_ADDRESSES),
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

/// Returns the words whose length is possible for a reply token, in lower case.
fn token_words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| {
            (reply_token::MIN_LENGTH..=reply_token::MAX_LOCAL_PART).contains(&word.len())
        })
        .map(str::to_ascii_lowercase)
}
