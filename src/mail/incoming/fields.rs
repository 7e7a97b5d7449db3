//! The header of a mail or of a part, split into fields, and the values of fields.

use super::error::MailError;
use super::{encoded_words, parameters, text};
use mail_parser::{ContentType, HeaderValue, Message, MessageParser};

/// Maximum length of a header in bytes.
const MAX_HEADER: usize = 256 * 1024;
/// Maximum number of fields in a header.
const MAX_FIELDS: usize = 1000;
/// Maximum length in bytes of the value of a field.
const MAX_VALUE: usize = 64 * 1024;

/// A field of a header.
pub struct Field {
    /// Its name in lower case.
    pub name: String,
    /// Whether white space is between its name and the colon, which programs interpret differently.
    pub has_space: bool,
    /// Its value, unfolded. Bytes that are not UTF-8 are replaced.
    pub value: String,
}

/// Splits a mail or a part into header and body, at the first empty line.
pub fn split(entity: &[u8]) -> (&[u8], &[u8]) {
    let mut start = 0;
    while start < entity.len() {
        let end = entity[start..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(entity.len(), |length| start + length + 1);
        if matches!(&entity[start..end], b"\n" | b"\r\n") {
            return (&entity[..start], &entity[end..]);
        }
        start = end;
    }
    (entity, &[])
}

/// Parses a header. Lines that are not fields are ignored.
///
/// # Errors
/// `LongHeader` if it exceeds a limit.
pub fn parse(header: &[u8]) -> Result<Vec<Field>, MailError> {
    if header.len() > MAX_HEADER {
        return Err(MailError::LongHeader);
    }
    let mut fields: Vec<(String, Vec<u8>)> = Vec::new();
    for line in header.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line
            .first()
            .is_some_and(|byte| matches!(byte, b' ' | b'\t'))
        {
            if let Some((_, value)) = fields.last_mut() {
                value.extend_from_slice(line);
            }
            continue;
        }
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            continue;
        };
        let name = String::from_utf8_lossy(&line[..colon]).to_ascii_lowercase();
        fields.push((name, line[colon + 1..].to_vec()));
    }
    if fields.len() > MAX_FIELDS || fields.iter().any(|(_, value)| value.len() > MAX_VALUE) {
        return Err(MailError::LongHeader);
    }
    Ok(fields
        .into_iter()
        .map(|(name, value)| Field {
            has_space: name.ends_with(char::is_whitespace),
            name: name.trim().to_owned(),
            value: text::decode(&value, None).replace(['\0', '\r'], " "),
        })
        .collect())
}

/// Parses one field with `mail_parser`, as the only field of an empty mail.
fn with_field<T>(
    name: &str,
    value: &str,
    read: impl FnOnce(&Message<'_>) -> Option<T>,
) -> Option<T> {
    let mail = format!("{name}: {}\r\n\r\n", value.trim());
    let parsed = MessageParser::default().parse_headers(mail.as_bytes())?;
    read(&parsed)
}

/// Returns the decoded value of the first field with this name as one line; empty without one.
pub fn decoded_line(fields: &[Field], name: &str, max: usize) -> String {
    let value = fields
        .iter()
        .find(|field| field.name == name)
        .map_or("", |field| field.value.as_str());
    let decoded = match name {
        "subject" => with_field("Subject", &encoded_words::join(value), |mail| {
            mail.subject().map(str::to_owned)
        }),
        _ => Some(value.to_owned()),
    };
    text::line(decoded.unwrap_or_default().trim(), max)
}

/// Returns the mail addresses of a field, in lower case; none of a field with a group, which programs read
/// differently.
///
/// # Errors
/// `TooManyAddresses` if there are more than `max`.
pub fn addresses(value: &str, max: usize) -> Result<Vec<String>, MailError> {
    if value.matches('@').count() > max {
        return Err(MailError::TooManyAddresses);
    }
    let addresses = with_field("From", value, |mail| {
        let from = mail.from().filter(|from| from.as_list().is_some())?;
        Some(
            from.iter()
                .map(|address| {
                    let address = address.address().unwrap_or_default();
                    // Only ASCII: the lower case of other letters may be that of another address.
                    address.trim().to_ascii_lowercase()
                })
                .collect(),
        )
    });
    Ok(addresses.unwrap_or_default())
}

/// What the fields of a part say about its content.
#[derive(Default)]
pub struct PartHeader {
    /// The media type in lower case, such as `text/plain`.
    pub media_type: String,
    pub boundary: Option<String>,
    pub charset: Option<String>,
    /// Whether the text has `format=flowed` (RFC 3676).
    pub is_flowed: bool,
    /// Whether the text has `delsp=yes`: spaces at soft line breaks are deleted.
    pub deletes_spaces: bool,
    /// The file name; empty without one.
    pub filename: String,
    /// Whether the disposition is `attachment`.
    pub is_attachment: bool,
    /// The transfer encoding in lower case.
    pub encoding: String,
}

impl PartHeader {
    /// Evaluates the fields of a part. `default_type` is its media type if it has no `Content-Type`.
    pub fn new(fields: &[Field], default_type: &str) -> PartHeader {
        let find = |name: &str| {
            fields
                .iter()
                .find(|field| field.name == name)
                .map(|field| field.value.as_str())
        };
        let mut header = PartHeader {
            media_type: default_type.to_owned(),
            encoding: find("content-transfer-encoding")
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase(),
            ..PartHeader::default()
        };
        if let Some(value) = find("content-type") {
            with_content_type(value, |content| header.apply(content));
        }
        if let Some(value) = find("content-disposition") {
            with_content_type(value, |disposition| {
                header.is_attachment = disposition.is_attachment();
                if let Some(name) = disposition.attribute("filename") {
                    header.filename = text::line(name, 1000);
                }
            });
        }
        header
    }

    fn apply(&mut self, content: &ContentType<'_>) {
        let media_type = match content.subtype() {
            Some(subtype) => format!("{}/{subtype}", content.ctype()),
            None => content.ctype().to_owned(),
        };
        self.media_type = text::line(&media_type.to_ascii_lowercase(), 100);
        let attribute = |name: &str| content.attribute(name).map(str::to_owned);
        self.boundary = attribute("boundary").filter(|boundary| !boundary.is_empty());
        self.charset = attribute("charset");
        self.filename = text::line(content.attribute("name").unwrap_or_default(), 1000);
        let is = |name: &str, word: &str| {
            content
                .attribute(name)
                .is_some_and(|value| value.eq_ignore_ascii_case(word))
        };
        self.is_flowed = is("format", "flowed");
        self.deletes_spaces = is("delsp", "yes");
    }
}

/// Parses the value of `Content-Type` or `Content-Disposition`, which have the same form.
fn with_content_type(value: &str, read: impl FnOnce(&ContentType<'_>)) {
    let value = encoded_words::join(&parameters::without_fallback_parameters(value));
    with_field("Content-Type", &value, |mail| {
        let header = mail.headers().first()?;
        match header.value() {
            HeaderValue::ContentType(content) => {
                read(content);
                Some(())
            }
            _ => None,
        }
    });
}
