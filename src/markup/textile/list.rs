//! Lists: `* item`, `# item`, `** nested item`, `#* mixed`.

use super::inline::{self, Footnotes};
use crate::markup::writer::{HtmlWriter, Written};

/// Maximum number of lists within each other.
const MAX_DEPTH: usize = 10;

/// The signs of an item and what follows them.
pub(super) fn marker(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches([' ', '\t']);
    let length = line.bytes().take(MAX_DEPTH + 1).take_while(|byte| matches!(byte, b'*' | b'#')).count();
    let rest = line[length..].strip_prefix(' ')?;
    ((1..=MAX_DEPTH).contains(&length) && !rest.trim().is_empty()).then(|| (&line[..length], rest.trim_start()))
}

/// Writes the items in these lines. A line without signs belongs to the item before it.
pub(super) fn write(lines: &str, footnotes: &Footnotes, writer: &mut HtmlWriter<'_>) -> Written {
    let base = writer.depth();
    // For each open list: its sign. Each has one open item.
    let mut open: Vec<u8> = Vec::new();
    let mut item = String::new();
    for line in lines.lines() {
        let Some((signs, text)) = marker(line) else {
            item.push('\n');
            item.push_str(line.trim());
            continue;
        };
        inline::write(&item, footnotes, writer)?;
        item.clear();
        item.push_str(text);
        let depth = signs.len();
        let sign = signs.as_bytes()[depth - 1];
        while open.len() > depth || (open.len() == depth && open.last() != Some(&sign)) {
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
            let sign = signs.as_bytes()[open.len()];
            writer.line_feed();
            writer.open(if sign == b'*' { "ul" } else { "ol" })?;
            writer.line_feed();
            writer.open("li")?;
            open.push(sign);
        }
    }
    inline::write(&item, footnotes, writer)?;
    writer.close_to(base);
    Ok(())
}
