//! The differences of two texts, line by line.

use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// How long a comparison may take; then the rest counts as replaced.
const TIMEOUT: Duration = Duration::from_millis(200);
/// Number of unchanged lines around a change.
const CONTEXT: usize = 3;
/// Maximum number of lines that are shown.
const MAX_LINES: usize = 5_000;

/// A line of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// Its number in the old text, from 1.
    pub old: Option<usize>,
    /// Its number in the new text, from 1.
    pub new: Option<usize>,
    /// The line.
    pub text: String,
    /// What became of it.
    pub change: LineChange,
}

/// What became of a line.
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

/// Returns the changed lines with some around them; empty when the texts are equal.
pub fn lines(old: &str, new: &str) -> Vec<DiffLine> {
    let diff = TextDiff::configure().timeout(TIMEOUT).diff_lines(old, new);
    let mut lines = Vec::new();
    let number = |index: Option<usize>| index.map(|index| index + 1);
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            lines.push(DiffLine { old: None, new: None, text: String::new(), change: LineChange::Gap });
        }
        for change in group.iter().flat_map(|operation| diff.iter_changes(operation)) {
            let line_change = match change.tag() {
                ChangeTag::Equal => LineChange::Unchanged,
                ChangeTag::Insert => LineChange::Added,
                ChangeTag::Delete => LineChange::Removed,
            };
            let text = change.value().trim_end_matches(['\n', '\r']).to_owned();
            lines.push(DiffLine { old: number(change.old_index()), new: number(change.new_index()), text, change: line_change });
            if lines.len() >= MAX_LINES {
                return lines;
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> Vec<String> {
        let sign = |change| match change {
            LineChange::Added => "+",
            LineChange::Removed => "-",
            LineChange::Unchanged | LineChange::Gap => " ",
        };
        lines(old, new).iter().map(|line| format!("{}{}", sign(line.change), line.text)).collect()
    }

    #[test]
    fn changed_lines_stand_with_their_context() {
        assert_eq!(shown("a\nb\nc\n", "a\nB\nc\n"), [" a", "-b", "+B", " c"]);
        assert!(shown("a\n", "a\n").is_empty());
        let old: String = (0..40).map(|line| format!("{line}\n")).collect();
        let new = old.replace("5\n", "five\n");
        assert!(shown(&old, &new).len() < 40);
    }
}
