//! Escapes text for HTML.

/// Appends the text, escaped for content and for quoted attributes.
pub fn escape_into(text: &str, out: &mut String) {
    append_escaped(text, out, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'"' => Some("&quot;"),
        b'\'' => Some("&#39;"),
        _ => None,
    });
}

/// Appends the text, escaped for content only: fewer character references, which are expensive to
/// parse, than [`escape_into`] makes.
pub(super) fn escape_content_into(text: &str, out: &mut String) {
    append_escaped(text, out, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        _ => None,
    });
}

/// Appends the text with character references in place of the ASCII characters that have one.
fn append_escaped(text: &str, out: &mut String, reference: impl Fn(u8) -> Option<&'static str>) {
    let mut copied = 0;
    for (index, byte) in text.bytes().enumerate() {
        if let Some(reference) = reference(byte) {
            out.push_str(&text[copied..index]);
            out.push_str(reference);
            copied = index + 1;
        }
    }
    out.push_str(&text[copied..]);
}

/// Returns the text, escaped for content and for quoted attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    escape_into(text, &mut out);
    out
}
