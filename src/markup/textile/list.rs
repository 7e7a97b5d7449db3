//! Lists: `* item`, `# item`, `** nested item`, `#* mixed`.

use super::footnotes::Footnotes;
use super::inline;
use crate::writer::{HtmlWriter, Written};

/// Maximum depth of nested lists.
const MAX_DEPTH: usize = 10;

/// Returns the marker of an item, such as `**`, and the text after it.
pub(super) fn marker(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches([' ', '\t']);
    let length = line
        .bytes()
        .take(MAX_DEPTH + 1)
        .take_while(|byte| matches!(byte, b'*' | b'#'))
        .count();
    let rest = line[length..].strip_prefix(' ')?;
    ((1..=MAX_DEPTH).contains(&length) && !rest.trim().is_empty())
        .then(|| (&line[..length], rest.trim_start()))
}

/// Writes the items in these lines. A line without a marker belongs to the item before it.
pub(super) fn write(lines: &str, footnotes: &Footnotes, writer: &mut HtmlWriter<'_>) -> Written {
    let base = writer.depth();
    // The bullet of each open list: `*` or `#`. Each list has one open item.
    let mut open: Vec<u8> = Vec::new();
    let mut item = String::new();
    for line in lines.lines() {
        let Some((item_marker, text)) = marker(line) else {
            item.push('\n');
            item.push_str(line.trim());
            continue;
        };
        inline::write(&item, footnotes, writer)?;
        item.clear();
        item.push_str(text);
        let depth = item_marker.len();
        let bullet = item_marker.as_bytes()[depth - 1];
        while open.len() > depth || (open.len() == depth && open.last() != Some(&bullet)) {
            open.pop();
            writer.close_to(base + 2 * open.len());
            writer.line_feed();
        }
        if open.len() == depth {
            writer.close();
            writer.line_feed();
            writer.open("li")?;
        }
        while open.len() < depth {
            let bullet = item_marker.as_bytes()[open.len()];
            writer.line_feed();
            writer.open(if bullet == b'*' { "ul" } else { "ol" })?;
            writer.line_feed();
            writer.open("li")?;
            open.push(bullet);
        }
    }
    inline::write(&item, footnotes, writer)?;
    writer.close_to(base);
    Ok(())
}
