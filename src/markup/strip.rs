//! Markup to plain text, for excerpts: one pass, whatever the format. No word is lost; code stays as it is.

use std::borrow::Cow;

/// HTML elements that are taken out. Anything else between angle brackets is text: `Vec<String>`, `<user@host>`.
const ELEMENTS: [&str; 44] = [
    "a",
    "abbr",
    "b",
    "blockquote",
    "br",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
];

/// The text without the signs of Markdown, Textile and HTML.
pub fn strip(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| {
        matches!(byte, b'*' | b'_' | b'`' | b'#' | b'<' | b'&' | b'[' | b'|' | b'~' | b'>' | b'@' | b'+' | b'-' | b'.' | b'{' | b'"')
    }) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    Stripper::of(text).next(text.len(), &mut out);
    Cow::Owned(out)
}

/// Takes the signs out of a text part by part, for whoever does not need all of it.
#[derive(Clone, Debug)]
pub struct Stripper<'t> {
    rest: &'t str,
    fence: Option<&'static str>,
    /// Whether the last part ended within a line.
    within: bool,
}

/// How far behind the end of a part a line end or a space is looked for.
const NEAR: usize = 1024;

impl<'t> Stripper<'t> {
    /// Begins with this text.
    pub fn of(text: &'t str) -> Stripper<'t> {
        Stripper { rest: text, fence: None, within: false }
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// Adds the next part to `out`: about so many bytes, up to the end of a line or at least of a word. Says how many bytes of the
    /// text that took.
    pub fn next(&mut self, about: usize, out: &mut String) -> usize {
        let (part, rest) = self.rest.split_at(self.cut(about));
        self.rest = rest;
        for line in part.split_inclusive('\n') {
            self.line(line, out);
        }
        part.len()
    }

    fn cut(&self, about: usize) -> usize {
        if about >= self.rest.len() {
            return self.rest.len();
        }
        let at = self.rest.ceil_char_boundary(about);
        let near = self.rest.ceil_char_boundary((at + NEAR).min(self.rest.len()));
        let behind = &self.rest[at..near];
        let line = behind.find('\n').map(|end| end + 1);
        line.or_else(|| behind.find(|letter: char| !letter.is_alphanumeric())).map_or(near, |end| at + end)
    }

    fn line(&mut self, line: &str, out: &mut String) {
        let begins = !std::mem::replace(&mut self.within, !line.ends_with('\n'));
        let bare = line.trim_start();
        let mark = if begins { ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark)) } else { None };
        match (mark, self.fence) {
            (Some(mark), None) => {
                self.fence = Some(mark);
                out.push_str(bare.trim_start_matches(['`', '~']));
            }
            (Some(mark), Some(open)) if open == mark => {
                self.fence = None;
                out.push_str(bare.trim_start_matches(['`', '~']));
            }
            (_, Some(_)) => out.push_str(line),
            (None, None) => inline(if begins { without_block_mark(line) } else { line }, out),
        }
    }
}

/// The line without what makes it a heading, a quotation or an item of a list.
fn without_block_mark(line: &str) -> &str {
    let mut rest = line.trim_start_matches([' ', '\t']);
    let indented = line.len() - rest.len() >= 4;
    while let Some(quoted) = rest.strip_prefix('>') {
        rest = quoted.trim_start_matches(' ');
    }
    if indented {
        return rest;
    }
    let ruled = rest.trim_end();
    if ruled.len() >= 3 && (ruled.bytes().all(|byte| byte == b'-') || ruled.bytes().all(|byte| byte == b'=')) {
        return &rest[ruled.len()..];
    }
    let marks = rest.bytes().take_while(|byte| matches!(byte, b'#' | b'*' | b'-' | b'+')).count();
    if (1..=6).contains(&marks) && rest[marks..].starts_with(' ') {
        return &rest[marks + 1..];
    }
    textile_block(rest)
}

/// `h2. Title`, `bq. text`, `p. text`, `fn1. text`.
fn textile_block(line: &str) -> &str {
    if !line.starts_with(['h', 'b', 'p', 'f']) {
        return line;
    }
    match line[..line.floor_char_boundary(5)].find(". ").map(|at| (&line[..at], &line[at + 2..])) {
        Some(("h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "bq" | "p" | "fn1" | "fn2" | "fn3", rest)) => rest,
        _ => line,
    }
}

/// Emphasis, code, links, tags and entities of one line.
fn inline(line: &str, out: &mut String) {
    let mut at = 0;
    let bytes = line.as_bytes();
    while at < bytes.len() {
        let rest = &line[at..];
        let (skip, instead) = match bytes[at] {
            b'`' => (1, ""),
            b'<' => (tag(rest), " "),
            b'&' => entity(rest),
            b'*' | b'_' | b'~' | b'+' | b'@' => (emphasis(line, at), ""),
            b'[' | b'!' if rest.starts_with("[[") || rest.starts_with("![") => (2, ""),
            b'[' => (1, ""),
            b']' if rest.starts_with("]]") => (2, ""),
            b']' if rest.starts_with("](") => (2, " "),
            b']' => (1, " "),
            b'|' if rest.starts_with("|_. ") => (4, " "),
            b'|' => (1, " "),
            b'"' if rest.starts_with("\":http") => (2, " "),
            _ => (0, ""),
        };
        if skip > 0 {
            out.push_str(instead);
            at += skip;
        } else {
            let step = bytes[at + 1..].iter().position(|byte| SIGNS[usize::from(*byte)]).map_or(rest.len(), |before| before + 1);
            out.push_str(&rest[..step]);
            at += step;
        }
    }
}

/// Bytes that may be markup.
static SIGNS: [bool; 256] = {
    let (mut table, signs, mut at) = ([false; 256], b"`<&*_~+@[]!|\"", 0);
    while at < signs.len() {
        table[signs[at] as usize] = true;
        at += 1;
    }
    table
};

/// The length of a run of emphasis signs that opens or closes something; 0 inside a word (`snake_case`, `a*b`, `x@y`).
fn emphasis(line: &str, at: usize) -> usize {
    let bytes = line.as_bytes();
    let run = bytes[at..].iter().take_while(|byte| **byte == bytes[at]).count();
    let word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let before = word(at.checked_sub(1).and_then(|before| bytes.get(before)));
    let after = word(bytes.get(at + run));
    if before == after || run > 3 { 0 } else { run }
}

/// The length of the HTML tag or comment at the beginning of `rest`; 0 when it is none.
fn tag(rest: &str) -> usize {
    if rest.starts_with("<!--") {
        return 4;
    }
    let name = rest[1..].trim_start_matches('/');
    let length = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let known = ELEMENTS.iter().any(|element| element.eq_ignore_ascii_case(&name[..length]));
    if !known {
        return 0;
    }
    match rest.bytes().take(400).position(|byte| byte == b'>') {
        Some(end) if !rest[1..end].contains('<') => end + 1,
        _ => 0,
    }
}

/// The length of the entity at the beginning of `rest`, and what it stands for.
fn entity(rest: &str) -> (usize, &'static str) {
    let known = [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " ")];
    known.into_iter().find(|(entity, _)| rest.starts_with(entity)).map_or((0, ""), |(entity, letter)| (entity.len(), letter))
}

#[cfg(test)]
mod tests;
