//! Links, images, and bare addresses.

use super::attributes::Attributes;
use crate::url;
use crate::url::Destination;
use crate::writer::{HtmlWriter, Written};
use std::ops::Range;

/// Maximum length of an address, in bytes.
const MAX_ADDRESS: usize = 2000;

/// `"text(title)":address`
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link<'t> {
    pub text: &'t str,
    pub title: &'t str,
    pub address: &'t str,
    pub length: usize,
}

impl<'t> Link<'t> {
    /// Returns the link at the start of a text.
    pub fn parse(text: &'t str) -> Option<Link<'t>> {
        let inner = text.strip_prefix('"')?;
        let end = inner.find('"')?;
        let label = &inner[..end];
        let address = address_of(inner[end + 1..].strip_prefix(':')?);
        let has_edges =
            label.starts_with(char::is_whitespace) || label.ends_with(char::is_whitespace);
        if address.is_empty() || label.is_empty() || has_edges || label.contains("\n\n") {
            return None;
        }
        let titled = label
            .strip_suffix(')')
            .and_then(|label| label.rsplit_once('('))
            .filter(|(text, _)| !text.trim().is_empty());
        let (text, title) = titled.unwrap_or((label, ""));
        Some(Link {
            text: text.trim_end(),
            title,
            address,
            length: end + 3 + address.len(),
        })
    }
}

/// `!address(text)!:link`
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Image<'t> {
    pub address: &'t str,
    pub alt: &'t str,
    pub class: &'static str,
    pub link: &'t str,
    pub length: usize,
}

impl<'t> Image<'t> {
    /// Returns the image at the start of a text.
    pub fn parse(text: &'t str) -> Option<Image<'t>> {
        let inner = text.strip_prefix('!')?;
        let attributes = Attributes::parse(inner);
        let class = match attributes.alignment {
            "align-left" => "float-left",
            "align-right" => "float-right",
            _ => "",
        };
        let start = &inner[attributes.length..];
        let window = &start[..start.floor_char_boundary(MAX_ADDRESS)];
        let length =
            window.find(|c: char| c.is_whitespace() || matches!(c, '!' | '(' | '"' | '<' | '>'))?;
        let address = &window[..length];
        let rest = &start[length..];
        let (alt, rest) = match rest.strip_prefix('(') {
            Some(alt) => {
                let end = alt[..alt.floor_char_boundary(500)].find([')', '\n'])?;
                (&alt[..end], alt[end..].strip_prefix(')')?)
            }
            None => ("", rest),
        };
        let rest = rest.strip_prefix('!')?;
        let is_name =
            address.contains(['.', '/']) && !address.starts_with('#') && !address.ends_with('.');
        let link = rest.strip_prefix(':').map(address_of).unwrap_or_default();
        let length = text.len() - rest.len() + if link.is_empty() { 0 } else { 1 + link.len() };
        is_name.then_some(Image {
            address,
            alt,
            class,
            link,
            length,
        })
    }
}

/// An address in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address<'t> {
    pub range: Range<usize>,
    pub text: &'t str,
    /// Prefix of the link that the text lacks: `mailto:`, `http://`.
    pub prefix: &'static str,
}

/// Returns the address that begins here, or whose `@` is here. It does not start before `from`.
pub(super) fn address(text: &str, at: usize, from: usize) -> Option<Address<'_>> {
    let rest = &text[at..];
    if rest.starts_with('@') {
        return mail_address(text, at, from);
    }
    let before = text[..at].chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '/' | '@' | '.' | '-')) {
        return None;
    }
    let (prefix, is_address) = match ["http://", "https://", "ftp://", "www."]
        .into_iter()
        .find(|start| rest.starts_with(start))
    {
        Some("www.") => ("http://", true),
        Some(_) => ("", true),
        None => ("", false),
    };
    let address = if is_address { address_of(rest) } else { "" };
    let host = address
        .trim_start_matches("www.")
        .rsplit("//")
        .next()
        .unwrap_or_default();
    (!host.is_empty() && address.len() > 7).then(|| Address {
        range: at..at + address.len(),
        text: address,
        prefix,
    })
}

fn mail_address(text: &str, at: usize, from: usize) -> Option<Address<'_>> {
    let local = text.as_bytes()[from..at]
        .iter()
        .rev()
        .take(64)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte))
        .count();
    let host = text.as_bytes()[at + 1..]
        .iter()
        .take(253)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b".-".contains(byte))
        .count();
    let host = text[at + 1..at + 1 + host].trim_end_matches(['.', '-']);
    let range = at - local..at + 1 + host.len();
    let is_word = text[..range.start]
        .chars()
        .next_back()
        .is_none_or(|c| !c.is_alphanumeric() && !matches!(c, ':' | '/' | '@'));
    let is_mail = local > 0 && is_word && host.contains('.') && !host.starts_with(['.', '-']);
    is_mail.then(|| Address {
        text: &text[range.clone()],
        range,
        prefix: "mailto:",
    })
}

/// Writes a link that shows its address.
pub(super) fn write_address(address: &Address<'_>, writer: &mut HtmlWriter<'_>) -> Written {
    let target = format!("{}{}", address.prefix, address.text);
    let opened =
        url::destination(&target) == Destination::External && writer.open_link(&target, "")?;
    writer.literal(address.text)?;
    writer.close_if(opened)
}

/// Returns the address at the start of a text, without the punctuation that ends a sentence.
fn address_of(text: &str) -> &str {
    let window = &text[..text.floor_char_boundary(MAX_ADDRESS)];
    let length = window
        .find(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '|'))
        .unwrap_or(window.len());
    let mut address = &window[..length];
    loop {
        let shorter = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_']);
        let shorter = without_closing(shorter, '(', ')');
        let shorter = without_closing(shorter, '[', ']');
        if shorter.len() == address.len() {
            return address;
        }
        address = shorter;
    }
}

/// Removes a closing bracket at the end if the text has no opening one for it.
fn without_closing(text: &str, open: char, close: char) -> &str {
    match text.strip_suffix(close) {
        Some(shorter) if text.matches(open).count() < text.matches(close).count() => shorter,
        _ => text,
    }
}

/// Returns offset and length of the first end tag of an element from an offset on. It must be
/// within a bounded distance.
pub(super) fn end_tag(text: &str, from: usize, element: &str) -> Option<(usize, usize)> {
    let names: &[&str] = if element == "ins" {
        &["ins", "u"]
    } else {
        &[element]
    };
    let window = text.get(from..text.floor_char_boundary(MAX_ADDRESS))?;
    window.match_indices("</").find_map(|(at, _)| {
        let rest = &window[at + 2..];
        let name = names.iter().find(|name| starts_with_end(rest, name))?;
        Some((from + at, name.len() + 3))
    })
}

/// Whether a text starts with the name of an element and `>`.
fn starts_with_end(text: &str, name: &str) -> bool {
    text.get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name))
        && text[name.len()..].starts_with('>')
}

/// Returns the offset before which no end tag begins, after [`end_tag`] has found none.
pub(super) fn searched_for_end_tag(text: &str) -> usize {
    text.floor_char_boundary(MAX_ADDRESS - "</strong>".len())
}
