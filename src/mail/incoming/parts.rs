//! The parts of a mail: its text, and its files.

use super::error::MailError;
use super::fields::{self, PartHeader};
use super::{flowed, html, text};
use mail_parser::{MessageParser, PartType};
use quarry_domain::content::incoming_mail::IncomingFile;

/// Maximum number of characters of the name of a file.
const MAX_FILENAME: usize = 255;
/// Maximum number of parts of a mail.
const MAX_PARTS: usize = 200;
/// Maximum depth of parts within parts.
const MAX_DEPTH: usize = 10;

/// The content of a mail or a part.
#[derive(Default)]
pub struct Content {
    /// The text; HTML is converted.
    pub text: String,
    /// Whether the text was HTML.
    pub is_html: bool,
    pub files: Vec<IncomingFile>,
}

/// Parses a mail with all its parts.
///
/// # Errors
/// If it exceeds a limit.
pub fn parse(raw: &[u8]) -> Result<Content, MailError> {
    Walk { parts: 0 }.part(raw, "text/plain", 0)
}

/// A walk through the parts, which counts them.
struct Walk {
    parts: usize,
}

impl Walk {
    fn part(
        &mut self,
        entity: &[u8],
        default_type: &str,
        depth: usize,
    ) -> Result<Content, MailError> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(MailError::TooManyParts);
        }
        let (header, body) = fields::split(entity);
        let header = PartHeader::new(&fields::parse(header)?, default_type);
        if let Some(kind) = header.media_type.strip_prefix("multipart/")
            && let Some(boundary) = &header.boundary
        {
            let parts = split(body, boundary)?;
            if !parts.is_empty() {
                if depth >= MAX_DEPTH {
                    return Err(MailError::NestedTooDeeply);
                }
                let default_type = if kind == "digest" {
                    "message/rfc822"
                } else {
                    "text/plain"
                };
                let contents = parts
                    .into_iter()
                    .map(|part| self.part(part, default_type, depth + 1))
                    .collect::<Result<Vec<_>, _>>()?;
                return Ok(join(kind, contents));
            }
        }
        Ok(leaf(&header, body))
    }
}

/// Splits the body of a multipart at the lines with its boundary.
fn split<'b>(body: &'b [u8], boundary: &str) -> Result<Vec<&'b [u8]>, MailError> {
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

/// Joins the parts of a multipart of this kind.
fn join(kind: &str, contents: Vec<Content>) -> Content {
    let mut joined = Content::default();
    if kind == "alternative" {
        let is_blank = |content: &Content| content.text.trim().is_empty();
        let best = contents
            .iter()
            .position(|content| !content.is_html && !is_blank(content))
            .or_else(|| contents.iter().rposition(|content| !is_blank(content)));
        for (index, content) in contents.into_iter().enumerate() {
            if Some(index) == best {
                joined.text = content.text;
                joined.is_html = content.is_html;
            }
            joined.files.extend(content.files);
        }
        return joined;
    }
    for content in contents {
        if !content.text.trim().is_empty() {
            if !joined.text.is_empty() {
                joined.text.push('\n');
            }
            joined.text.push_str(&content.text);
            joined.is_html |= content.is_html;
        }
        joined.files.extend(content.files);
    }
    joined
}

/// Returns the content of a part without parts.
fn leaf(header: &PartHeader, body: &[u8]) -> Content {
    let bytes = decode(body, &header.encoding);
    let is_text = matches!(header.media_type.as_str(), "text/plain" | "text/html")
        || !header.media_type.contains('/');
    if is_text && !header.is_attachment {
        let decoded = text::decode(&bytes, header.charset.as_deref());
        let is_html = header.media_type == "text/html";
        let text = if is_html {
            html::to_text(&decoded)
        } else if header.is_flowed {
            flowed::unwrap(&decoded, header.deletes_spaces)
        } else {
            decoded
        };
        return Content {
            text,
            is_html,
            files: Vec::new(),
        };
    }
    if matches!(
        header.media_type.as_str(),
        "application/pgp-signature"
            | "application/pkcs7-signature"
            | "application/x-pkcs7-signature"
    ) {
        return Content::default();
    }
    let filename = match header.media_type.as_str() {
        "message/rfc822" | "message/global" if header.filename.is_empty() => {
            "message.eml".to_owned()
        }
        "text/calendar" if header.filename.is_empty() => "invitation.ics".to_owned(),
        _ => header.filename.clone(),
    };
    let file = IncomingFile {
        filename: text::line(&filename, MAX_FILENAME),
        content_type: header.media_type.clone(),
        content: bytes,
    };
    Content {
        files: vec![file],
        ..Content::default()
    }
}

/// Decodes the transfer encoding. Content that does not fit its encoding stays as it is.
fn decode(body: &[u8], encoding: &str) -> Vec<u8> {
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
