//! The encoding of an XML document: by its byte order mark, its first bytes or its declaration (XML
//! 1.0, appendix F).

use crate::input::bad_input::{self, BadInput};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// Number of bytes in which the declaration must end.
const MAX_DECLARATION: usize = 256;

/// Whether documents in the encoding with this name are accepted.
pub(super) fn is_accepted(name: &str) -> bool {
    let known = Encoding::for_label(name.as_bytes());
    known.is_some_and(|known| [UTF_8, UTF_16LE, UTF_16BE, WINDOWS_1252].contains(&known))
}

/// Returns the text of a document in UTF-8, UTF-16, ISO-8859-1 or Windows-1252.
pub(super) fn decode(body: &[u8]) -> Result<Cow<'_, str>, BadInput> {
    let encoding = encoding_of(body);
    if encoding == UTF_8 {
        return bad_input::decode_utf8(body).map(Cow::Borrowed);
    }
    let (text, has_errors) = encoding.decode_with_bom_removal(body);
    if has_errors {
        let problem = format!("the document is not in {}", encoding.name());
        return Err(BadInput::in_document("", 0, problem));
    }
    Ok(text)
}

fn encoding_of(body: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return encoding;
    }
    match body {
        [b'<', 0, ..] => UTF_16LE,
        [0, b'<', ..] => UTF_16BE,
        // The parser reports other encodings.
        _ => declared(body)
            .filter(|encoding| *encoding == WINDOWS_1252)
            .unwrap_or(UTF_8),
    }
}

/// Returns the encoding that the declaration names, if it is known. The name ISO-8859-1 stands for
/// Windows-1252, as on the web, which has other characters only for bytes from 0x80 to 0x9F.
fn declared(body: &[u8]) -> Option<&'static Encoding> {
    let start = &body[..body.len().min(MAX_DECLARATION)];
    let start = start.strip_prefix(b"<?xml")?;
    let end = start.windows(2).position(|bytes| bytes == b"?>")?;
    let declaration = std::str::from_utf8(&start[..end]).ok()?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value
        .chars()
        .next()
        .filter(|quote| "\"'".contains(*quote))?;
    let (name, _) = value[1..].split_once(quote)?;
    Encoding::for_label(name.as_bytes())
}
