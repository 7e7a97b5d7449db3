//! Texts without markup: paragraphs, line breaks, and links for addresses and references.

use super::textile::inline;
use super::writer::{HtmlWriter, Written};

/// Writes paragraphs with line breaks.
pub(super) fn write(text: &str, writer: &mut HtmlWriter<'_>) -> Written {
    for paragraph in text
        .split("\n\n")
        .map(|paragraph| paragraph.trim_matches('\n'))
        .filter(|paragraph| !paragraph.trim().is_empty())
    {
        writer.line_feed();
        writer.open("p")?;
        for (line, index) in paragraph.lines().zip(0..) {
            if index > 0 {
                writer.line_break()?;
            }
            inline::text_with_addresses(line, writer)?;
        }
        writer.close();
        writer.end_block()?;
    }
    Ok(())
}
