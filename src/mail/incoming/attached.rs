//! Attached mails whose texts are encoded.

use super::entity::{decode, split};
use super::fields::{self, PartHeader};

/// Maximum depth of parts and mails within an attached mail.
const MAX_DEPTH: usize = 10;

/// Returns the mail with its text parts and attached mails decoded; `None` if none of them is encoded.
/// Other attached files are unchanged.
pub fn with_decoded_texts(mail: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(mail.len());
    write(mail, &mut decoded, 0).then_some(decoded)
}

/// Appends a mail or a part to `out`. Returns whether something was decoded.
fn write(entity: &[u8], out: &mut Vec<u8>, depth: usize) -> bool {
    let (header, body) = fields::split(entity);
    let part = match fields::parse(header) {
        Ok(fields) if depth <= MAX_DEPTH => PartHeader::new(&fields, "text/plain"),
        _ => {
            out.extend_from_slice(entity);
            return false;
        }
    };
    let parts = part
        .boundary
        .as_ref()
        .filter(|_| part.media_type.starts_with("multipart/"))
        .and_then(|boundary| Some((boundary, split(body, boundary).ok()?)));
    if let Some((boundary, parts)) = parts.filter(|(_, parts)| !parts.is_empty()) {
        let mut is_decoded = false;
        out.extend_from_slice(header);
        for part in parts {
            out.extend_from_slice(format!("\r\n--{boundary}\r\n").as_bytes());
            is_decoded |= write(part, out, depth + 1);
        }
        out.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        return is_decoded;
    }
    let is_mail = part.media_type.starts_with("message/");
    let is_text = part.media_type.starts_with("text/") || !part.media_type.contains('/');
    let is_encoded = matches!(part.encoding.as_str(), "base64" | "quoted-printable");
    if is_mail {
        out.extend_from_slice(&without_encoding(header, is_encoded));
        out.extend_from_slice(b"\r\n");
        return write(&decode(body, &part.encoding), out, depth + 1) || is_encoded;
    }
    if is_text && is_encoded {
        out.extend_from_slice(&without_encoding(header, true));
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(&decode(body, &part.encoding));
        return true;
    }
    out.extend_from_slice(entity);
    false
}

/// Returns the header with the transfer encoding `8bit` if the body was encoded.
fn without_encoding(header: &[u8], is_encoded: bool) -> Vec<u8> {
    if !is_encoded {
        return header.to_vec();
    }
    let name = b"content-transfer-encoding:";
    let mut changed = Vec::with_capacity(header.len());
    for line in header.split_inclusive(|byte| *byte == b'\n') {
        let begin = &line[..line.len().min(name.len())];
        if begin.eq_ignore_ascii_case(name) {
            changed.extend_from_slice(b"Content-Transfer-Encoding: 8bit\r\n");
        } else {
            changed.extend_from_slice(line);
        }
    }
    changed
}
