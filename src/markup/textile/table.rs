//! Tables: `|_. heading|_. heading|` and `|cell|>. right|\2. wide|`.

use super::attributes::{self, Attributes};
use super::footnotes::Footnotes;
use super::inline;
use crate::reference_parser::wiki_link_end;
use crate::writer::{HtmlWriter, Written};

/// Writes the rows in these lines.
pub(super) fn write(lines: &str, footnotes: &Footnotes, writer: &mut HtmlWriter<'_>) -> Written {
    let base = writer.depth();
    writer.open_with("div", &[("class", "table-scroll"), ("tabindex", "0")])?;
    writer.open("table")?;
    let mut row = String::new();
    for line in lines.lines().filter(|line| !attributes::table(line.trim())) {
        if !row.is_empty() {
            row.push('\n');
        }
        row.push_str(line.trim());
        if row.ends_with('|') {
            write_row(&row, footnotes, writer)?;
            row.clear();
        }
    }
    if !row.is_empty() {
        write_row(&row, footnotes, writer)?;
    }
    writer.close_to(base);
    Ok(())
}

fn write_row(row: &str, footnotes: &Footnotes, writer: &mut HtmlWriter<'_>) -> Written {
    let row = attributes::row(row).unwrap_or(row);
    let content = row.strip_prefix('|').unwrap_or(row);
    let content = content.strip_suffix('|').unwrap_or(content);
    writer.line_feed();
    writer.open("tr")?;
    for cell in (Cells {
        rest: Some(content),
    }) {
        let attributes = Attributes::parse(cell);
        let (attributes, text) = match cell[attributes.length..]
            .strip_prefix(". ")
            .or_else(|| cell[attributes.length..].strip_prefix('.'))
        {
            Some(text) if attributes.length > 0 => (attributes, text),
            _ => (Attributes::default(), cell),
        };
        let class = [attributes.alignment, attributes.vertical]
            .into_iter()
            .filter(|class| !class.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        let spans = [
            ("class", class.as_str()),
            ("colspan", attributes.columns),
            ("rowspan", attributes.rows),
        ];
        writer.open_with(if attributes.is_heading { "th" } else { "td" }, &spans)?;
        inline::write(text.trim(), footnotes, writer)?;
        writer.close();
    }
    writer.close();
    Ok(())
}

/// The cells of a row. A bar in code or in a wiki link does not end a cell.
struct Cells<'t> {
    rest: Option<&'t str>,
}

impl<'t> Iterator for Cells<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = self.rest?;
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let skipped = match bytes[at] {
                b'|' => {
                    self.rest = Some(&text[at + 1..]);
                    return Some(&text[..at]);
                }
                b'[' if text[at..].starts_with("[[") => {
                    wiki_link_end(&text[at..]).map_or(0, |end| end - 1)
                }
                b'@' if at == 0 || !bytes[at - 1].is_ascii_alphanumeric() => {
                    code_len(&text[at + 1..])
                }
                _ => 0,
            };
            at += 1 + skipped;
        }
        self.rest = None;
        Some(text)
    }
}

/// Returns the length up to the end of code, which must be within a bounded distance.
fn code_len(text: &str) -> usize {
    let window = &text[..text.floor_char_boundary(300)];
    window
        .find(['@', '\n'])
        .filter(|at| window[*at..].starts_with('@'))
        .map_or(0, |at| at + 1)
}
