//! Line diffs of two texts, as the wiki shows them (compatibility 13.4).
//!
//! Invariant: time and output are bounded, however long the texts are.

use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// Timeout of a comparison. Lines that were not compared by then count as replaced.
pub(super) const TIMEOUT: Duration = Duration::from_millis(200);
/// Number of unchanged lines around a change.
const CONTEXT: usize = 3;
/// Maximum number of lines of a diff; further ones are left out.
const MAX_LINES: usize = 5_000;

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// Its number in the old text, from 1.
    pub old: Option<usize>,
    /// Its number in the new text, from 1.
    pub new: Option<usize>,
    pub text: String,
    /// How it differs.
    pub change: LineChange,
}

/// How a line differs in the two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineChange {
    /// It is in both texts.
    Unchanged,
    /// It is in the new text only.
    Added,
    /// It is in the old text only.
    Removed,
    /// It stands for unchanged lines that are left out.
    Gap,
}

/// Returns the changed lines with three unchanged ones around each change; empty if the texts are
/// equal.
pub fn lines(old: &str, new: &str) -> Vec<DiffLine> {
    let diff = TextDiff::configure().timeout(TIMEOUT).diff_lines(old, new);
    let mut lines = Vec::new();
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            lines.push(DiffLine {
                old: None,
                new: None,
                text: String::new(),
                change: LineChange::Gap,
            });
        }
        for change in group
            .iter()
            .flat_map(|operation| diff.iter_changes(operation))
        {
            let line_change = match change.tag() {
                ChangeTag::Equal => LineChange::Unchanged,
                ChangeTag::Insert => LineChange::Added,
                ChangeTag::Delete => LineChange::Removed,
            };
            let text = change.value().trim_end_matches(['\n', '\r']).to_owned();
            lines.push(DiffLine {
                old: line_number(change.old_index()),
                new: line_number(change.new_index()),
                text,
                change: line_change,
            });
            if lines.len() >= MAX_LINES {
                return lines;
            }
        }
    }
    lines
}

fn line_number(index: Option<usize>) -> Option<usize> {
    index.map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: &str, new: &str) -> Vec<String> {
        lines(old, new)
            .iter()
            .map(|line| format!("{}{}", sign(line.change), line.text))
            .collect()
    }

    fn sign(change: LineChange) -> &'static str {
        match change {
            LineChange::Added => "+",
            LineChange::Removed => "-",
            LineChange::Unchanged | LineChange::Gap => " ",
        }
    }

    #[test]
    fn changed_lines_are_returned_with_their_context() {
        assert_eq!(diff("a\nb\nc\n", "a\nB\nc\n"), [" a", "-b", "+B", " c"]);
        assert!(diff("a\n", "a\n").is_empty());
        let old: String = (0..40).map(|line| format!("{line}\n")).collect();
        let new = old.replace("5\n", "five\n");
        assert!(diff(&old, &new).len() < 40);
    }
}
