//! Inline markup: phrases such as `*strong*`, `_emphasis_` and `@code@`, tags, abbreviations and
//! line breaks. Links, images and references are in `links`.
//!
//! Invariant: the time is linear in the length of the text, because an end that was searched for in
//! vain is not searched for again.

use super::footnotes::Footnotes;
use super::{attributes, entity, link};
use crate::inline_tags;
use crate::inline_tags::Tag;
use crate::limits::Interrupted;
use crate::writer::{HtmlWriter, Written};
use std::collections::HashMap;

mod links;

/// Maximum depth of nested phrases. Deeper ones are shown with their delimiters.
const MAX_DEPTH: usize = 12;
/// The delimiters of phrases, and their elements. A double delimiter precedes the single one.
const PHRASES: [(&str, &str); 10] = [
    ("**", "b"),
    ("__", "i"),
    ("??", "cite"),
    ("*", "strong"),
    ("_", "em"),
    ("-", "del"),
    ("+", "ins"),
    ("^", "sup"),
    ("~", "sub"),
    ("%", "span"),
];

/// Writes a block of phrases.
pub(super) fn write(text: &str, footnotes: &Footnotes, writer: &mut HtmlWriter<'_>) -> Written {
    let text = text.trim();
    Phrases::new(text, 0, footnotes, writer).write()
}

/// Writes a text in which addresses and references become links.
pub(crate) fn text_with_addresses(text: &str, writer: &mut HtmlWriter<'_>) -> Written {
    let mut pending = 0;
    let mut at = 0;
    while let Some(step) = text[at..].find(['h', 'f', 'w', '@']) {
        at += step;
        match link::address(text, at, pending) {
            Some(address) => {
                writer.text(&text[pending..address.range.start])?;
                link::write_address(&address, writer)?;
                pending = address.range.end;
                at = pending;
            }
            None => at += 1,
        }
    }
    writer.text(&text[pending..])
}

/// Writes lines without any markup.
pub(super) fn literal_lines(text: &str, writer: &mut HtmlWriter<'_>) -> Written {
    for (line, index) in text.lines().zip(0..) {
        if index > 0 {
            writer.line_break()?;
        }
        writer.literal(line)?;
    }
    Ok(())
}

/// Parses and writes a text phrase by phrase.
struct Phrases<'t, 'w, 'c> {
    text: &'t str,
    depth: usize,
    /// Offset from which on the text is not written yet.
    pending: usize,
    /// For each delimiter, and for code: the offset up to which no closing delimiter was found, so
    /// that it is not searched for twice.
    searched: [usize; PHRASES.len() + 1],
    /// For each element: the offset up to which it has no end tag.
    searched_tags: HashMap<&'static str, usize>,
    /// The end of the line that was searched last.
    line_end: usize,
    footnotes: &'w Footnotes,
    writer: &'w mut HtmlWriter<'c>,
}

impl<'t, 'w, 'c> Phrases<'t, 'w, 'c> {
    fn new(
        text: &'t str,
        depth: usize,
        footnotes: &'w Footnotes,
        writer: &'w mut HtmlWriter<'c>,
    ) -> Phrases<'t, 'w, 'c> {
        let searched = [0; PHRASES.len() + 1];
        Phrases {
            text,
            depth,
            pending: 0,
            searched,
            searched_tags: HashMap::new(),
            line_end: 0,
            footnotes,
            writer,
        }
    }

    fn write(&mut self) -> Written {
        let mut at = 0;
        while at < self.text.len() {
            let byte = self.text.as_bytes()[at];
            if byte.is_ascii_punctuation() {
                self.writer.step()?;
            }
            let next = match byte {
                b'\n' => {
                    self.flush(at)?;
                    self.writer.line_break()?;
                    Some(at + 1)
                }
                b'<' => self.tag(at)?,
                b'"' => self.link(at)?,
                b'!' => self.image(at)?,
                b'[' => self.bracket(at)?,
                b'(' => self.abbreviation(at)?,
                b'=' if self.text[at..].starts_with("==") => self.literal(at)?,
                b'@' => match self.code(at)? {
                    Some(next) => Some(next),
                    None => self.address(at)?,
                },
                b'h' | b'f' | b'w' => self.address(at)?,
                b'&' => self.entity(at)?,
                b'*' | b'_' | b'?' | b'-' | b'+' | b'^' | b'~' | b'%' => self.phrase(at)?,
                _ => None,
            };
            match next {
                Some(next) => {
                    at = next;
                    self.pending = next;
                }
                None => at += 1,
            }
        }
        self.flush(self.text.len())
    }

    /// Writes the text before a phrase.
    fn flush(&mut self, end: usize) -> Written {
        let pending = std::mem::replace(&mut self.pending, end);
        if pending < end {
            self.writer.text(&self.text[pending..end])
        } else {
            Ok(())
        }
    }

    /// Writes a text within a phrase.
    fn write_inner(&mut self, text: &'t str) -> Written {
        Phrases::new(text, self.depth + 1, self.footnotes, self.writer).write()
    }

    fn char_before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    /// Whether a phrase may begin here: not within a word.
    fn is_start(&self, at: usize, delimiter: &str) -> bool {
        let first = delimiter.as_bytes()[0];
        let after = self.text[at + delimiter.len()..].chars().next();
        self.char_before(at)
            .is_none_or(|c| !c.is_alphanumeric() && c != char::from(first))
            && after.is_some_and(|c| !c.is_whitespace() && c != char::from(first))
    }

    /// Returns the offset of the closing delimiter of the phrase whose content begins at `start`.
    fn find_end(
        &mut self,
        start: usize,
        delimiter: &str,
        index: usize,
        in_line: bool,
    ) -> Option<usize> {
        if start < self.searched[index] {
            return None;
        }
        let first = char::from(delimiter.as_bytes()[0]);
        let rest = &self.text[start..];
        let limit = if in_line {
            self.line_end(start) - start
        } else {
            rest.len()
        };
        let mut delimiters = rest[..limit].match_indices(delimiter);
        let end = delimiters.find(|(at, _)| {
            let before = rest[..*at].chars().next_back();
            let after = rest[*at + delimiter.len()..].chars().next();
            *at > 0
                && before.is_some_and(|c| !c.is_whitespace() && c != first)
                && after.is_none_or(|c| !c.is_alphanumeric() && c != first)
        });
        if end.is_none() {
            self.searched[index] = start + limit;
        }
        end.map(|(at, _)| start + at)
    }

    /// Returns the end of the line at this offset. Each line is searched once, however many phrases
    /// it has.
    fn line_end(&mut self, at: usize) -> usize {
        if at > self.line_end || self.line_end == 0 {
            self.line_end = self.text[at..]
                .find('\n')
                .map_or(self.text.len(), |end| at + end);
        }
        self.line_end
    }

    fn phrase(&mut self, at: usize) -> Result<Option<usize>, Interrupted> {
        if self.depth >= MAX_DEPTH {
            return Ok(None);
        }
        for (index, (delimiter, element)) in PHRASES.into_iter().enumerate() {
            if !self.text[at..].starts_with(delimiter) || !self.is_start(at, delimiter) {
                continue;
            }
            let start = at + delimiter.len();
            let Some(end) = self.find_end(start, delimiter, index, delimiter == "-") else {
                continue;
            };
            let content = &self.text[start..end];
            let (style, content) = attributes::phrase(content, element == "span");
            self.flush(at)?;
            match (element, attributes::text_color(style)) {
                ("span", None) => self.write_inner(content)?,
                (element, color) => {
                    self.writer
                        .open_with(element, &[("class", color.unwrap_or_default())])?;
                    self.write_inner(content)?;
                    self.writer.close();
                }
            }
            return Ok(Some(end + delimiter.len()));
        }
        Ok(None)
    }

    fn code(&mut self, at: usize) -> Result<Option<usize>, Interrupted> {
        if !self.is_start(at, "@") {
            return Ok(None);
        }
        let Some(end) = self.find_end(at + 1, "@", PHRASES.len(), true) else {
            return Ok(None);
        };
        self.flush(at)?;
        self.writer.element("code", &[], &self.text[at + 1..end])?;
        Ok(Some(end + 1))
    }

    /// Writes `==text without markup==`.
    fn literal(&mut self, at: usize) -> Result<Option<usize>, Interrupted> {
        let rest = &self.text[at + 2..];
        let Some(end) = rest[..rest.floor_char_boundary(2000)]
            .find("==")
            .filter(|end| *end > 0)
        else {
            return Ok(None);
        };
        self.flush(at)?;
        literal_lines(&rest[..end], self.writer)?;
        Ok(Some(at + 2 + end + 2))
    }

    fn tag(&mut self, at: usize) -> Result<Option<usize>, Interrupted> {
        let rest = &self.text[at..];
        if let Some(inner) = rest.strip_prefix("<notextile>")
            && let Some(end) = inner[..inner.floor_char_boundary(2000)].find("</notextile>")
        {
            self.flush(at)?;
            literal_lines(&inner[..end], self.writer)?;
            return Ok(Some(at + 2 * "<notextile>".len() + 1 + end));
        }
        match inline_tags::parse(rest) {
            Some((Tag::LineBreak, length)) => {
                self.flush(at)?;
                self.writer.line_break()?;
                Ok(Some(
                    at + length + usize::from(rest[length..].starts_with('\n')),
                ))
            }
            Some((Tag::Open(element), length)) if self.depth < MAX_DEPTH => {
                let inner = &rest[length..];
                let Some((end, end_length)) = self.find_end_tag(at + length, element) else {
                    return Ok(None);
                };
                self.flush(at)?;
                self.writer.open(element)?;
                if element == "code" {
                    self.writer.literal(&inner[..end])?
                } else {
                    self.write_inner(&inner[..end])?
                }
                self.writer.close();
                Ok(Some(at + length + end + end_length))
            }
            _ => Ok(None),
        }
    }

    /// Returns offset and length of the end tag of an element, relative to the start of its
    /// content.
    fn find_end_tag(&mut self, start: usize, element: &'static str) -> Option<(usize, usize)> {
        let searched = self.searched_tags.entry(element).or_insert(0);
        let skipped = searched.saturating_sub(start);
        let found = link::end_tag(&self.text[start..], skipped, element);
        if found.is_none() {
            *searched = start + link::searched_for_end_tag(&self.text[start..]);
        }
        found
    }

    /// Writes an abbreviation: `HTML(HyperText Markup Language)`.
    fn abbreviation(&mut self, at: usize) -> Result<Option<usize>, Interrupted> {
        let before = &self.text[self.pending..at];
        let letters = before
            .bytes()
            .rev()
            .take(16)
            .take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            .count();
        let start = at - letters;
        let starts_word = self.char_before(start).is_none_or(|c| !c.is_alphanumeric());
        let is_word = (2..16).contains(&letters)
            && starts_word
            && before.as_bytes()[before.len() - letters..]
                .iter()
                .any(u8::is_ascii_uppercase);
        let rest = &self.text[at + 1..];
        let window = if is_word {
            &rest[..rest.floor_char_boundary(200)]
        } else {
            ""
        };
        let Some(end) = window
            .find([')', '\n'])
            .filter(|end| *end > 0 && window[*end..].starts_with(')'))
        else {
            return Ok(None);
        };
        self.flush(start)?;
        self.writer
            .element("abbr", &[("title", &rest[..end])], &self.text[start..at])?;
        Ok(Some(at + 1 + end + 1))
    }

    fn entity(&mut self, at: usize) -> Result<Option<usize>, Interrupted> {
        let Some((text, length)) = entity::decode(&self.text[at..]) else {
            return Ok(None);
        };
        self.flush(at)?;
        self.writer.literal(&text)?;
        Ok(Some(at + length))
    }
}
