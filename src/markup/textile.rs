//! Textile, in the dialect of Redmine. No maintained crate parses it.
//!
//! A text is parsed line by line into blocks; `inline` parses the text of a block. Classes, styles
//! and languages in attributes are parsed and dropped, except for alignment and the named text
//! colours: pages allow no inline styles, and foreign classes could imitate parts of the page.

mod attributes;
mod entity;
mod footnotes;
pub(super) mod inline;
mod link;
mod list;
mod table;

use super::inline_tags;
use super::writer::{HtmlWriter, Written};
use attributes::Signature;
use footnotes::Footnotes;

/// Maximum depth of nested quotations.
const MAX_QUOTES: usize = 16;

/// Writes the HTML of a Textile text.
pub(super) fn write(text: &str, writer: &mut HtmlWriter<'_>) -> Written {
    let footnotes = Footnotes::from_text(text);
    Blocks::new(text, 0, &footnotes, writer).write()
}

/// Parses and writes a text block by block.
struct Blocks<'t, 'w, 'c> {
    rest: &'t str,
    /// The length of the whole text.
    length: usize,
    /// The length of the text after the current line. A line may have many blocks, so that its end
    /// is not searched for again.
    after_line: usize,
    quotes: usize,
    /// Whether an end of `<notextile>` may still follow.
    is_literal_closed: bool,
    footnotes: &'w Footnotes,
    writer: &'w mut HtmlWriter<'c>,
}

impl<'t, 'w, 'c> Blocks<'t, 'w, 'c> {
    fn new(
        text: &'t str,
        quotes: usize,
        footnotes: &'w Footnotes,
        writer: &'w mut HtmlWriter<'c>,
    ) -> Blocks<'t, 'w, 'c> {
        Blocks {
            rest: text,
            length: text.len(),
            after_line: text.len(),
            quotes,
            is_literal_closed: true,
            footnotes,
            writer,
        }
    }

    fn write(&mut self) -> Written {
        while let Some(line) = self.peek() {
            if line.trim().is_empty() {
                self.next_line();
                continue;
            }
            self.writer.step()?;
            self.writer.line_feed();
            self.block(line)?;
            self.writer.end_block()?;
        }
        Ok(())
    }

    fn block(&mut self, line: &'t str) -> Written {
        let trimmed = line.trim();
        if let Some((language, code, length)) = preformatted(self.rest) {
            self.rest = &self.rest[length..];
            return self.writer.code_block(language, code);
        }
        if let Some(literal) = self.take_literal() {
            return self.literal_paragraph(literal);
        }
        if let Some(signature) = Signature::parse(line) {
            return self.signed_block(&signature);
        }
        if list::marker(line).is_some() {
            let lines = self.take_while(|line| !line.trim().is_empty() && !interrupts_list(line));
            return list::write(lines, self.footnotes, self.writer);
        }
        if is_table(line) {
            let lines = self.take_table();
            return table::write(lines, self.footnotes, self.writer);
        }
        if line.starts_with('>') && self.quotes < MAX_QUOTES {
            return self.quotation();
        }
        if trimmed.len() >= 3 && trimmed.bytes().all(|byte| byte == b'-') {
            self.next_line();
            return self.writer.void("hr", &[]);
        }
        if self.quotes == 0 && self.writer.contents_macro(trimmed)? {
            self.next_line();
            return Ok(());
        }
        let text = self.take_paragraph();
        self.paragraph(text, "")
    }

    fn signed_block(&mut self, signature: &Signature<'t>) -> Written {
        let alignment = signature.alignment;
        // Quotations are texts of their own.
        let start = (self.quotes == 0).then(|| self.length - self.rest.len());
        self.rest = &self.rest[signature.length..];
        match signature.name {
            "bc" | "pre" => {
                let code = if signature.is_extended {
                    self.take_extended()
                } else {
                    self.take_while(|line| !line.trim().is_empty())
                };
                self.writer.code_block("", code)
            }
            "notextile" => {
                let text = self.take_while(|line| !line.trim().is_empty());
                self.literal_paragraph(text)
            }
            "bq" => {
                let text = if signature.is_extended {
                    self.take_extended()
                } else {
                    self.take_paragraph()
                };
                self.writer
                    .open_with("blockquote", &[("class", alignment)])?;
                for paragraph in text
                    .split("\n\n")
                    .filter(|paragraph| !paragraph.trim().is_empty())
                {
                    self.paragraph(paragraph.trim_matches('\n'), "")?;
                }
                self.writer.close();
                Ok(())
            }
            "p" => {
                let text = self.take_paragraph();
                self.paragraph(text, alignment)
            }
            name => match name.strip_prefix('h').and_then(|level| level.parse().ok()) {
                Some(level) => {
                    let text = self.take_paragraph();
                    self.writer.open_heading(level, start)?;
                    inline::write(text, self.footnotes, self.writer)?;
                    self.writer.close_heading()
                }
                None => {
                    let text = self.take_paragraph();
                    self.footnote(name.trim_start_matches("fn"), text)
                }
            },
        }
    }

    fn paragraph(&mut self, text: &str, alignment: &'static str) -> Written {
        self.writer.open_with("p", &[("class", alignment)])?;
        inline::write(text.trim_end_matches('\n'), self.footnotes, self.writer)?;
        self.writer.close();
        Ok(())
    }

    fn literal_paragraph(&mut self, text: &str) -> Written {
        self.writer.open("p")?;
        inline::literal_lines(text.trim_matches('\n'), self.writer)?;
        self.writer.close();
        Ok(())
    }

    fn footnote(&mut self, number: &str, text: &str) -> Written {
        let id = self.writer.footnote_id("fn", number);
        let target = self.writer.footnote_id("fnref", number);
        let id = if self.footnotes.is_first_definition(number) {
            id
        } else {
            String::new()
        };
        self.writer
            .open_with("p", &[("class", "footnote"), ("id", &id)])?;
        self.writer.element("sup", &[], number)?;
        self.writer.literal(" ")?;
        inline::write(text, self.footnotes, self.writer)?;
        self.writer.literal(" ")?;
        self.writer
            .footnote_link(&target, "", "footnote-back", "↩")?;
        self.writer.close();
        Ok(())
    }

    /// Writes the lines that start with `>`, as in a mail, as a quotation.
    fn quotation(&mut self) -> Written {
        let lines = self.take_while(|line| line.starts_with('>'));
        let text: Vec<&str> = lines
            .lines()
            .map(|line| line[1..].strip_prefix(' ').unwrap_or(&line[1..]))
            .collect();
        let text = text.join("\n");
        self.writer.open("blockquote")?;
        let quotes = self.quotes + 1;
        Blocks::new(&text, quotes, self.footnotes, self.writer).write()?;
        self.writer.close();
        Ok(())
    }

    /// Takes the lines up to a blank one or to a block that needs no blank line before it.
    fn take_paragraph(&mut self) -> &'t str {
        let first = self.peek().unwrap_or_default().len();
        let all = self.rest;
        let mut length = 0;
        let after_first = &all[(first + 1).min(all.len())..];
        let first = &all[..all.len() - after_first.len()];
        for line in std::iter::once(first).chain(after_first.split_inclusive('\n')) {
            let content = line.trim_end_matches('\n');
            let starts_block = length > 0
                && (list::marker(content).is_some()
                    || is_table(content)
                    || content.starts_with('>'));
            if content.trim().is_empty() || starts_block {
                break;
            }
            if let Some(at) = find_preformatted(content) {
                length += at;
                break;
            }
            length += line.len();
        }
        self.take(length)
    }

    /// Takes everything up to the next block with a signature, for `bc..` and `bq..`.
    fn take_extended(&mut self) -> &'t str {
        let all = self.rest;
        let mut length = 0;
        let mut is_after_blank = false;
        for line in all.split_inclusive('\n') {
            if is_after_blank && Signature::parse(line.trim_end_matches('\n')).is_some() {
                break;
            }
            is_after_blank = line.trim().is_empty();
            length += line.len();
        }
        self.take(length).trim_end_matches('\n')
    }

    /// Takes the lines of a table. A row ends with a bar, so that a cell may have several lines.
    fn take_table(&mut self) -> &'t str {
        let all = self.rest;
        let mut length = 0;
        let mut is_open = false;
        for line in all.split_inclusive('\n') {
            let content = line.trim();
            let is_row = content.starts_with('|')
                || (length == 0 && content.starts_with("table"))
                || attributes::row(content).is_some();
            if content.is_empty() || !(is_open || is_row) {
                break;
            }
            is_open = is_row && !content.ends_with('|') && content.contains('|')
                || is_open && !content.ends_with('|');
            length += line.len();
        }
        self.take(length.max(all.find('\n').map_or(all.len(), |end| end + 1)))
    }

    fn take_while(&mut self, is_part: impl Fn(&str) -> bool) -> &'t str {
        let lines = self
            .rest
            .split_inclusive('\n')
            .take_while(|line| is_part(line.trim_end_matches('\n')));
        let length = lines.map(str::len).sum();
        self.take(length)
    }

    fn take_literal(&mut self) -> Option<&'t str> {
        let inner = self
            .rest
            .trim_start()
            .strip_prefix("<notextile>")
            .filter(|_| self.is_literal_closed)?;
        let length = inner.find("</notextile>");
        self.is_literal_closed = length.is_some();
        self.rest = &inner[length? + "</notextile>".len()..];
        length.map(|length| &inner[..length])
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Returns the rest of the current line.
    fn peek(&mut self) -> Option<&'t str> {
        if self.rest.is_empty() {
            return None;
        }
        if self.rest.len() <= self.after_line {
            self.after_line = self.rest.find('\n').map_or(0, |end| self.rest.len() - end);
        }
        Some(&self.rest[..self.rest.len() - self.after_line])
    }

    fn next_line(&mut self) {
        self.take(self.rest.find('\n').map_or(self.rest.len(), |end| end + 1));
    }
}

/// Parses `<pre>` at the start of the text, after spaces: language, code, and length of all of it.
fn preformatted(text: &str) -> Option<(&str, &str, usize)> {
    let trimmed = text.trim_start_matches([' ', '\t']);
    let (language, code, length) = inline_tags::preformatted(trimmed)?;
    Some((language, code, text.len() - trimmed.len() + length))
}

/// Returns the offset of `<pre>` in a line, unless the line starts with it.
fn find_preformatted(line: &str) -> Option<usize> {
    line.match_indices("<pre")
        .map(|(at, _)| at)
        .find(|at| *at > 0 && inline_tags::is_preformatted(&line[*at..]))
}

fn is_table(line: &str) -> bool {
    let line = line.trim();
    (line.len() > 2 && line.starts_with('|') && line[1..].contains('|'))
        || attributes::table(line)
        || attributes::row(line).is_some()
}

fn interrupts_list(line: &str) -> bool {
    is_table(line) || Signature::parse(line).is_some()
}
