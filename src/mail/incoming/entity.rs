//! The bodies of mails and parts: splits multiparts and decodes transfer encodings.

use super::error::MailError;
use mail_parser::{MessageParser, PartType};

/// Maximum number of parts of a mail.
pub const MAX_PARTS: usize = 200;

/// Splits the body of a multipart at the lines with its boundary.
pub fn split<'b>(body: &'b [u8], boundary: &str) -> Result<Vec<&'b [u8]>, MailError> {
    let delimiter = format!("--{boundary}");
    let mut parts = Vec::new();
    let mut start = None;
    let mut position = 0;
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let begin = position;
        position += line.len();
        let Some(rest) = line.strip_prefix(delimiter.as_bytes()) else {
            continue;
        };
        let rest = rest.trim_ascii_end();
        if !rest.is_empty() && rest != b"--" {
            continue;
        }
        if let Some(start) = start {
            // The line break before a boundary belongs to the boundary.
            let part = &body[start..begin.max(start)];
            let part = part.strip_suffix(b"\n").unwrap_or(part);
            parts.push(part.strip_suffix(b"\r").unwrap_or(part));
        }
        start = Some(position);
        if parts.len() > MAX_PARTS {
            return Err(MailError::TooManyParts);
        }
        if rest == b"--" {
            start = None;
            break;
        }
    }
    if let Some(start) = start {
        parts.push(&body[start..]);
    }
    Ok(parts)
}

/// Decodes the transfer encoding. Content that is not valid in its encoding is returned unchanged.
pub fn decode(body: &[u8], encoding: &str) -> Vec<u8> {
    if !matches!(encoding, "base64" | "quoted-printable") {
        return body.to_vec();
    }
    let mut entity = format!(
        "Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    )
    .into_bytes();
    entity.extend_from_slice(body);
    let parsed = MessageParser::default().parse(&entity);
    let part = parsed.and_then(|mail| mail.parts.into_iter().next());
    match part.map(|part| part.body) {
        Some(PartType::Binary(bytes) | PartType::InlineBinary(bytes)) => bytes.into_owned(),
        _ => body.to_vec(),
    }
}
