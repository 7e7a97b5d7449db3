//! Replaces the addresses in rendered HTML, for documents that leave the service.

use super::html::escape_into;
use super::render::SafeHtml;

/// An address in the HTML, as its attribute has it (`&` is `&amp;`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address<'h> {
    /// The target of a link.
    Link(&'h str),
    /// The source of an image.
    Image(&'h str),
}

impl SafeHtml {
    /// Returns the HTML with other addresses where `replace` returns one.
    pub fn with_addresses(
        &self,
        mut replace: impl FnMut(Address<'_>) -> Option<String>,
    ) -> SafeHtml {
        let mut html = String::with_capacity(self.0.len());
        let mut rest = self.0.as_str();
        // A text never has the character that starts a tag, but values of attributes may.
        while let Some(start) = rest.find('<') {
            let (before, after) = rest.split_at(start + 1);
            html.push_str(before);
            rest = after;
            while let Some(at) = rest.find(['"', '>']) {
                let (before, after) = rest.split_at(at + 1);
                html.push_str(before);
                rest = after;
                if before.ends_with('>') {
                    break;
                }
                let end = rest.find('"').unwrap_or(rest.len());
                let value = &rest[..end];
                let address = match before {
                    _ if before.ends_with(" href=\"") => Some(Address::Link(value)),
                    _ if before.ends_with(" src=\"") => Some(Address::Image(value)),
                    _ => None,
                };
                match address.and_then(&mut replace) {
                    Some(replaced) => escape_into(&replaced, &mut html),
                    None => html.push_str(value),
                }
                let closing = (end + 1).min(rest.len());
                html.push_str(&rest[end..closing]);
                rest = &rest[closing..];
            }
        }
        html.push_str(rest);
        SafeHtml(html)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_tags_are_replaced_and_texts_are_not() {
        let html = SafeHtml(
            "<p title=\"a > b href=\">x href=\"/no\" <a class=\"b\" href=\"/yes\">src=\"/no\"</a>\
             <img src=\"/pic\"><a href=\"#top\">t</a></p> <"
                .to_owned(),
        );
        let replaced = html.with_addresses(|address| match address {
            Address::Link(path) if path.starts_with('/') => Some(format!("https://h\"{path}")),
            Address::Image(_) => Some("data:x".to_owned()),
            Address::Link(_) => None,
        });
        assert_eq!(
            replaced.as_str(),
            "<p title=\"a > b href=\">x href=\"/no\" <a class=\"b\" href=\"https://h&quot;/yes\">src=\"/no\"</a>\
             <img src=\"data:x\"><a href=\"#top\">t</a></p> <"
        );
    }
}
