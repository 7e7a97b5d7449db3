//! The HTML elements that a text may use: a few without attributes. Everything else that looks like
//! HTML is shown as text.

/// Elements for phrases.
const PHRASES: [&str; 18] = [
    "b", "i", "u", "s", "em", "strong", "del", "ins", "kbd", "sub", "sup", "mark", "small", "code",
    "q", "cite", "samp", "abbr",
];

/// A tag in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// `<kbd>`
    Open(&'static str),
    /// `</kbd>`
    Close(&'static str),
    /// `<br>`, `<br/>`, `<br />`
    LineBreak,
}

/// Returns the tag at the start of the text and its length, if the text may use it.
pub(super) fn parse(text: &str) -> Option<(Tag, usize)> {
    let inner = text.strip_prefix('<')?;
    let end = inner.bytes().take(12).position(|byte| byte == b'>')?;
    let content = &inner[..end];
    let length = end + 2;
    if content
        .trim_end_matches('/')
        .trim()
        .eq_ignore_ascii_case("br")
    {
        return Some((Tag::LineBreak, length));
    }
    let tag = match content.strip_prefix('/') {
        Some(name) => Tag::Close(element(name.trim())?),
        None => Tag::Open(element(content)?),
    };
    Some((tag, length))
}

/// Returns the element that is written for a name; `<u>` means an insertion, which has a meaning
/// for readers of the page.
fn element(name: &str) -> Option<&'static str> {
    let element = PHRASES
        .into_iter()
        .find(|phrase| phrase.eq_ignore_ascii_case(name))?;
    Some(if element == "u" { "ins" } else { element })
}

/// Whether the text is an HTML comment, which is not shown.
pub(super) fn is_comment(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("<!--")
        && text.ends_with("-->")
        && text.len() >= 7
        && text.matches("-->").count() == 1
}

/// Returns the language and content of `<pre>`, `<pre class="ruby">` or `<pre><code class="ruby">`
/// at the start of the text, and the length of all of it. Without an end tag it goes on to the end
/// of the text.
pub(super) fn preformatted(text: &str) -> Option<(&str, &str, usize)> {
    let (own, inner) = open_tag(text, "pre")?;
    let end = inner.match_indices("</").find(|(at, _)| {
        let name = inner[*at + 2..].get(..4);
        name.is_some_and(|name| name.eq_ignore_ascii_case("pre>"))
    });
    let (end, length) = match end {
        Some((end, _)) => (end, text.len() - inner.len() + end + "</pre>".len()),
        None => (inner.len(), text.len()),
    };
    let content = &inner[..end];
    let (nested, content) = match open_tag(content.trim_start(), "code") {
        Some((class, rest)) => {
            let trimmed = rest.trim_end();
            (class, trimmed.strip_suffix("</code>").unwrap_or(rest))
        }
        None => ("", content),
    };
    Some((
        if nested.is_empty() { own } else { nested },
        content.strip_prefix('\n').unwrap_or(content),
        length,
    ))
}

/// Whether the text starts with `<pre>`.
pub(super) fn is_preformatted(text: &str) -> bool {
    open_tag(text, "pre").is_some()
}

/// Returns the class of the element at the start of the text, and what follows the tag.
fn open_tag<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let rest = text.strip_prefix('<')?;
    let rest = rest
        .get(..name.len())
        .filter(|start| start.eq_ignore_ascii_case(name))
        .map(|_| &rest[name.len()..])?;
    let end = rest.bytes().take(200).position(|byte| byte == b'>')?;
    let attributes = &rest[..end];
    if !attributes.is_empty() && !attributes.starts_with([' ', '\n']) {
        return None;
    }
    let class = attributes
        .split("class=")
        .nth(1)
        .map(|value| value.trim_matches(['"', '\'', ' ']))
        .unwrap_or_default();
    let class = class.split([' ', '"', '\'']).next().unwrap_or_default();
    Some((class.trim_start_matches("language-"), &rest[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_phrase_tags_are_tags() {
        assert_eq!(parse("<kbd>x"), Some((Tag::Open("kbd"), 5)));
        assert_eq!(parse("</KBD>"), Some((Tag::Close("kbd"), 6)));
        assert_eq!(parse("<br />"), Some((Tag::LineBreak, 6)));
        for text in [
            "<script>",
            "<b onclick=x>",
            "< b>",
            "<img src=x>",
            "b>",
            "<",
            "<a>",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn preformatted_text_has_a_language_and_an_end() {
        assert_eq!(preformatted("<pre>\na\n</pre>b"), Some(("", "a\n", 14)));
        assert_eq!(
            preformatted("<pre><code class=\"ruby\">a</code></pre>"),
            Some(("ruby", "a", 38))
        );
        assert_eq!(preformatted("<pre class=\"sql\">a"), Some(("sql", "a", 18)));
        assert_eq!(preformatted("<prefix>"), None);
    }
}
