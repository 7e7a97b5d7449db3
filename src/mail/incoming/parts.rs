//! The parts of a mail: its text, and its files.

use super::entity::{MAX_PARTS, decode, split};
use super::error::MailError;
use super::fields::{self, PartHeader};
use super::{attached, flowed, html, text};
use quarry_domain::content::attachment::{acceptable_name, is_media_type};
use quarry_domain::content::incoming_mail::IncomingFile;

/// Maximum number of characters of the name of a file.
const MAX_FILENAME: usize = 255;
/// Maximum depth of parts within parts.
const MAX_DEPTH: usize = 10;
/// Maximum number of bytes of a text that are read, before decoding.
const MAX_TEXT: usize = 4 * 1024 * 1024;
/// Maximum number of bytes of all texts of a mail that are read, before decoding.
const MAX_TEXTS: usize = 2 * MAX_TEXT;

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
    let mut walk = Walk {
        parts: 0,
        text_left: MAX_TEXTS,
    };
    walk.part(raw, "text/plain", 0)
}

/// A traversal of the parts, with the limits for the whole mail.
struct Walk {
    parts: usize,
    /// Number of bytes of texts that may still be read.
    text_left: usize,
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
        // The text of a mail without parts is never a file, even with a file name.
        let is_file = header.is_attachment || depth > 0 && !header.filename.is_empty();
        if is_text(&header) && !is_file {
            let body = first_lines(body, self.text_left.min(MAX_TEXT));
            self.text_left -= body.len();
            return Ok(text_of(&header, body));
        }
        Ok(file_of(&header, body))
    }
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

fn is_text(header: &PartHeader) -> bool {
    matches!(header.media_type.as_str(), "text/plain" | "text/html")
        || !header.media_type.contains('/')
}

/// Returns the complete lines within the first `max` bytes.
fn first_lines(body: &[u8], max: usize) -> &[u8] {
    if body.len() <= max {
        return body;
    }
    let body = &body[..max];
    let end = body.iter().rposition(|byte| *byte == b'\n');
    // Base64 without line breaks can be cut after a multiple of four characters.
    &body[..end.map_or(max - max % 4, |end| end + 1)]
}

/// Returns the text of a part.
fn text_of(header: &PartHeader, body: &[u8]) -> Content {
    let bytes = decode(body, &header.encoding);
    let decoded = text::decode(&bytes, header.charset.as_deref());
    let is_html = header.media_type == "text/html";
    let text = if is_html {
        html::to_text(&decoded)
    } else if header.is_flowed {
        flowed::unwrap(&decoded, header.deletes_spaces)
    } else {
        decoded
    };
    Content {
        text,
        is_html,
        files: Vec::new(),
    }
}

/// Returns a part as a file; nothing for an OpenPGP or S/MIME signature.
fn file_of(header: &PartHeader, body: &[u8]) -> Content {
    let media_type = header.media_type.as_str();
    if matches!(
        media_type,
        "application/pgp-signature"
            | "application/pkcs7-signature"
            | "application/x-pkcs7-signature"
    ) {
        return Content::default();
    }
    let is_mail = matches!(media_type, "message/rfc822" | "message/global");
    let filename = match media_type {
        _ if !header.filename.is_empty() => acceptable_name(&header.filename),
        _ if is_mail => "message.eml".to_owned(),
        "text/calendar" => "invitation.ics".to_owned(),
        _ => String::new(),
    };
    let content = decode(body, &header.encoding);
    let decoded = (is_mail || filename.to_ascii_lowercase().ends_with(".eml"))
        .then(|| attached::with_decoded_texts(&content))
        .flatten();
    let file = IncomingFile {
        filename: text::line(&filename, MAX_FILENAME),
        content_type: if is_media_type(media_type) {
            media_type.to_owned()
        } else {
            "application/octet-stream".to_owned()
        },
        content,
        decoded,
    };
    Content {
        files: vec![file],
        ..Content::default()
    }
}
