//! Converts markup to plain text for excerpts, in one pass for all formats. No word is lost; code
//! is unchanged.

use super::elements::ELEMENTS;
use std::borrow::Cow;

/// Removes the markup of Markdown, Textile and HTML from a text.
pub fn strip(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| {
        matches!(
            byte,
            b'*' | b'_'
                | b'`'
                | b'#'
                | b'<'
                | b'&'
                | b'['
                | b'|'
                | b'~'
                | b'>'
                | b'@'
                | b'+'
                | b'-'
                | b'.'
                | b'{'
                | b'}'
                | b'"'
        )
    }) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    Stripper::new(text).strip_next(text.len(), &mut out);
    Cow::Owned(out)
}

/// Removes the markup of a text part by part, for callers that do not need the whole text.
#[derive(Clone, Debug)]
pub struct Stripper<'t> {
    rest: &'t str,
    fence: Option<&'static str>,
    /// Whether the last part ended inside a line.
    is_inside_line: bool,
}

/// Maximum number of bytes after the requested end of a part in which a line or word end is
/// searched.
const MAX_EXTENSION: usize = 1024;

impl<'t> Stripper<'t> {
    /// Returns a stripper at the start of the text.
    pub fn new(text: &'t str) -> Stripper<'t> {
        Stripper {
            rest: text,
            fence: None,
            is_inside_line: false,
        }
    }

    /// Whether the end of the text is reached.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// Appends the next part to `out`: about `min_bytes`, extended to the end of a line or at least
    /// of a word. Returns the number of bytes of the text that were read.
    pub fn strip_next(&mut self, min_bytes: usize, out: &mut String) -> usize {
        let (part, rest) = self.rest.split_at(self.part_end(min_bytes));
        self.rest = rest;
        for line in part.split_inclusive('\n') {
            self.strip_line(line, out);
        }
        part.len()
    }

    fn part_end(&self, min_bytes: usize) -> usize {
        if min_bytes >= self.rest.len() {
            return self.rest.len();
        }
        let at = self.rest.ceil_char_boundary(min_bytes);
        let limit = self
            .rest
            .ceil_char_boundary((at + MAX_EXTENSION).min(self.rest.len()));
        let extension = &self.rest[at..limit];
        if let Some(line_end) = extension.find('\n') {
            return at + line_end + 1;
        }
        // Punctuation belongs to some words, such as `C++`.
        let end = extension
            .find(char::is_whitespace)
            .or_else(|| extension.find(|letter: char| !letter.is_alphanumeric()));
        end.map_or(limit, |end| at + end)
    }

    fn strip_line(&mut self, line: &str, out: &mut String) {
        let is_line_start = !std::mem::replace(&mut self.is_inside_line, !line.ends_with('\n'));
        let trimmed = line.trim_start();
        let mark = if is_line_start {
            ["```", "~~~"]
                .into_iter()
                .find(|mark| trimmed.starts_with(mark))
        } else {
            None
        };
        match (mark, self.fence) {
            (Some(mark), None) => {
                self.fence = Some(mark);
                out.push_str(trimmed.trim_start_matches(['`', '~']));
            }
            (Some(mark), Some(open)) if open == mark => {
                self.fence = None;
                out.push_str(trimmed.trim_start_matches(['`', '~']));
            }
            (_, Some(_)) => out.push_str(line),
            (None, None) => strip_inline(
                if is_line_start {
                    strip_block_marker(line)
                } else {
                    line
                },
                out,
            ),
        }
    }
}

/// Removes the marker of a heading, a quotation or a list item from a line.
fn strip_block_marker(line: &str) -> &str {
    let mut rest = line.trim_start_matches([' ', '\t']);
    let is_code = line.len() - rest.len() >= 4;
    while let Some(quoted) = rest.strip_prefix('>') {
        rest = quoted.trim_start_matches(' ');
    }
    if is_code {
        return rest;
    }
    let rule = rest.trim_end();
    if rule.len() >= 3
        && (rule.bytes().all(|byte| byte == b'-') || rule.bytes().all(|byte| byte == b'='))
    {
        return &rest[rule.len()..];
    }
    // The line between the head and the body of a table.
    if rule.starts_with('|')
        && rule
            .bytes()
            .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '))
    {
        return &rest[rule.len()..];
    }
    let marks = rest
        .bytes()
        .take_while(|byte| matches!(byte, b'#' | b'*' | b'-' | b'+'))
        .count();
    if (1..=6).contains(&marks) && rest[marks..].starts_with(' ') {
        return &rest[marks + 1..];
    }
    strip_textile_block(rest)
}

/// Removes the marker of a Textile block: `h2. Title`, `bq. text`, `p. text`, `fn1. text`.
fn strip_textile_block(line: &str) -> &str {
    if !line.starts_with(['h', 'b', 'p', 'f']) {
        return line;
    }
    match line[..line.floor_char_boundary(5)]
        .find(". ")
        .map(|at| (&line[..at], &line[at + 2..]))
    {
        Some((
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "bq" | "p" | "fn1" | "fn2" | "fn3",
            rest,
        )) => rest,
        _ => line,
    }
}

/// Appends a line without the markup of emphasis, code, links, tags and entities.
fn strip_inline(line: &str, out: &mut String) {
    let mut at = 0;
    let bytes = line.as_bytes();
    while at < bytes.len() {
        let rest = &line[at..];
        let (skip, replacement) = match bytes[at] {
            b'`' => (1, ""),
            b'<' => (tag_len(rest), " "),
            b'&' => parse_entity(rest),
            byte @ (b'*' | b'_' | b'~' | b'+' | b'@') => {
                let run = rest.bytes().take_while(|other| *other == byte).count();
                if is_emphasis(line, at, run) {
                    (run, "")
                } else {
                    (run, &rest[..run])
                }
            }
            b'[' | b'!' if rest.starts_with("[[") || rest.starts_with("![") => (2, ""),
            b'[' => (1, ""),
            b']' if rest.starts_with("]]") => (2, ""),
            b']' if rest.starts_with("](") => (2, " ("),
            b']' => (1, " "),
            b'|' if rest.starts_with("|_. ") => (4, " "),
            b'|' => (1, " "),
            b'"' if rest.starts_with("\":http") || rest.starts_with("\":/") => (2, " "),
            b'"' => (usize::from(starts_link(rest)), ""),
            b'!' => image_name(line, at).map_or((0, ""), |name| (name.len() + 2, name)),
            b'{' | b'}' | b'%' => macro_markup(rest),
            _ => (0, ""),
        };
        if skip > 0 {
            out.push_str(replacement);
            at += skip;
        } else {
            let step = bytes[at + 1..]
                .iter()
                .position(|byte| MAY_BE_MARKUP[usize::from(*byte)])
                .map_or(rest.len(), |offset| offset + 1);
            out.push_str(&rest[..step]);
            at += step;
        }
    }
}

/// Bytes that may be markup.
static MAY_BE_MARKUP: [bool; 256] = {
    let mut table = [false; 256];
    let markup = b"`<&*_~+@[]!|\"{}%";
    let mut at = 0;
    while at < markup.len() {
        table[markup[at] as usize] = true;
        at += 1;
    }
    table
};

/// Whether a run of emphasis characters opens or closes emphasis: not inside a word (`snake_case`,
/// `a*b`, `x@y`), nor in `C++`.
fn is_emphasis(line: &str, at: usize, run: usize) -> bool {
    let bytes = line.as_bytes();
    let before = at > 0 && is_word(bytes[at - 1]);
    let after = bytes.get(at + run).is_some_and(|byte| is_word(*byte));
    let max_run = if matches!(bytes[at], b'+' | b'@') {
        1
    } else {
        3
    };
    run <= max_run && (before != after || closes_after_punctuation(line, at, run))
}

/// Whether a run of asterisks closes emphasis that ends with punctuation, such as `*Note:*`.
fn closes_after_punctuation(line: &str, at: usize, run: usize) -> bool {
    let bytes = line.as_bytes();
    let is_end = bytes[at] == b'*'
        && at > 0
        && matches!(bytes[at - 1], b'.' | b':' | b'!' | b'?' | b',' | b')')
        && bytes
            .get(at + run)
            .is_none_or(|byte| byte.is_ascii_whitespace());
    if !is_end {
        return false;
    }
    let window = &line[line.ceil_char_boundary(at.saturating_sub(MAX_DELIMITED))..at];
    window.rfind(&line[at..at + run]).is_some_and(|open| {
        let next = window.as_bytes().get(open + run);
        next.is_some_and(|byte| is_word(*byte))
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// Maximum length of what is between two delimiters in bytes, so that the time is linear.
const MAX_DELIMITED: usize = 300;
/// Macros of Jira that enclose a text. Their names are not shown.
const ENCLOSING_MACROS: [&str; 5] = ["code", "noformat", "quote", "panel", "color"];

/// Whether the text starts with a link of Textile: `"text":http://example.org`.
fn starts_link(rest: &str) -> bool {
    let text = &rest[1..rest.floor_char_boundary(MAX_DELIMITED)];
    let after = text
        .find('"')
        .filter(|end| *end > 0)
        .map(|end| &text[end + 1..]);
    after.is_some_and(|after| after.starts_with(":http") || after.starts_with(":/"))
}

/// Returns the name in an image of Textile at this offset: `!image.png!`.
fn image_name(line: &str, at: usize) -> Option<&str> {
    if line[..at].ends_with(char::is_alphanumeric) {
        return None;
    }
    let rest = &line[at + 1..];
    let window = &rest[..rest.floor_char_boundary(MAX_DELIMITED)];
    let end = window
        .find(|c: char| c.is_whitespace() || c == '!')
        .filter(|end| window[*end..].starts_with('!'))?;
    let name = &window[..end];
    (name.contains(['.', '/']) && !name.ends_with('.')).then_some(name)
}

/// Returns the length of the markup of a macro at the start of `rest`, and the text that is shown
/// in its place. Macros are `{{toc}}`, the braces of `{{text}}`, `{code:java}`, and the attributes
/// of `%{color:red}text%`.
fn macro_markup(rest: &str) -> (usize, &'static str) {
    if let Some(contents) = ["{{toc}}", "{{>toc}}", "{{<toc}}"]
        .into_iter()
        .find(|contents| rest.starts_with(contents))
    {
        return (contents.len(), "");
    }
    if rest.starts_with("{{") || rest.starts_with("}}") {
        return (2, "");
    }
    let (inner, shown) = match rest.strip_prefix("%{") {
        Some(inner) => (inner, ""),
        None => (rest.strip_prefix('{').unwrap_or_default(), " "),
    };
    let window = &inner[..inner.floor_char_boundary(MAX_DELIMITED)];
    // The search ends at the next brace, so that no part of a text is searched twice.
    let Some(end) = window
        .find(['}', '{', '\n', ' '])
        .filter(|end| window[*end..].starts_with('}'))
    else {
        return (0, "");
    };
    let name = window[..end].split(':').next().unwrap_or_default();
    if shown.is_empty() || ENCLOSING_MACROS.contains(&name) {
        (rest.len() - inner.len() + end + 1, shown)
    } else {
        (0, "")
    }
}

/// Maximum length of an HTML tag in bytes.
const MAX_TAG_BYTES: usize = 400;

/// Returns the length of the HTML tag or comment marker at the start of `rest`; 0 when there is
/// none.
fn tag_len(rest: &str) -> usize {
    if rest.starts_with("<!--") {
        return 4;
    }
    let name = rest[1..].trim_start_matches('/');
    let length = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
    // `<u>` is typed, but never written by the renderer. Other angle brackets are text:
    // `Vec<String>`, `<user@host>`.
    let is_element = ELEMENTS
        .iter()
        .chain(&["u"])
        .any(|element| element.eq_ignore_ascii_case(&name[..length]));
    if !is_element {
        return 0;
    }
    match rest
        .bytes()
        .take(MAX_TAG_BYTES)
        .position(|byte| byte == b'>')
    {
        Some(end) if !rest[1..end].contains('<') => end + 1,
        _ => 0,
    }
}

/// Returns the length of the entity at the start of `rest`, and its character.
fn parse_entity(rest: &str) -> (usize, &'static str) {
    let entities = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
    ];
    entities
        .into_iter()
        .find(|(entity, _)| rest.starts_with(entity))
        .map_or((0, ""), |(entity, character)| (entity.len(), character))
}

#[cfg(test)]
mod tests;
