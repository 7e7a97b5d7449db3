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
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark)) {
            match fence {
                None => {
                    fence = Some(mark);
                    out.push_str(bare.trim_start_matches(['`', '~']));
                }
                Some(open) if open == mark => {
                    fence = None;
                    out.push_str(bare.trim_start_matches(['`', '~']));
                }
                Some(_) => out.push_str(line),
            }
        } else if fence.is_some() {
            out.push_str(line);
        } else {
            inline(without_block_mark(line), &mut out);
        }
    }
    Cow::Owned(out)
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
    match line.split_once(". ") {
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
            let step = rest.bytes().skip(1).take_while(|byte| !is_sign(*byte)).count() + 1;
            out.push_str(&rest[..step]);
            at += step;
        }
    }
}

fn is_sign(byte: u8) -> bool {
    matches!(byte, b'`' | b'<' | b'&' | b'*' | b'_' | b'~' | b'+' | b'@' | b'[' | b']' | b'!' | b'|' | b'"')
}

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
    let closed = rest.bytes().take(400).position(|byte| byte == b'>');
    match closed {
        Some(end) if known && !rest[1..end].contains('<') => end + 1,
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
