//! Escapes text for HTML.

/// Appends the text, escaped for content and for quoted attributes.
pub fn escape_into(text: &str, out: &mut String) {
    let mut copied = 0;
    for (index, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            _ => continue,
        };
        out.push_str(&text[copied..index]);
        out.push_str(entity);
        copied = index + 1;
    }
    out.push_str(&text[copied..]);
}

/// Appends the text, escaped for content only: fewer character references, which are expensive to parse, than [`escape_into`] makes.
pub(super) fn escape_content_into(text: &str, out: &mut String) {
    let mut copied = 0;
    for (index, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            _ => continue,
        };
        out.push_str(&text[copied..index]);
        out.push_str(entity);
        copied = index + 1;
    }
    out.push_str(&text[copied..]);
}

/// Returns the text, escaped for content and for quoted attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    escape_into(text, &mut out);
    out
}
