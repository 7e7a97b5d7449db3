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
    /// Its number in the old text.
    pub old: String,
    /// Its number in the new text.
    pub new: String,
    /// The line.
    pub text: String,
    tag: Tag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Equal,
    Added,
    Removed,
    Gap,
}

impl DiffLine {
    /// Returns the CSS class.
    pub fn class(&self) -> &'static str {
        match self.tag {
            Tag::Equal => "",
            Tag::Added => "added",
            Tag::Removed => "removed",
            Tag::Gap => "gap",
        }
    }

    /// Returns the sign in front of the line.
    pub fn mark(&self) -> &'static str {
        match self.tag {
            Tag::Added => "+",
            Tag::Removed => "-",
            Tag::Equal | Tag::Gap => " ",
        }
    }
}

/// Returns the changed lines with some around them; empty when the texts are equal.
pub fn lines(old: &str, new: &str) -> Vec<DiffLine> {
    let diff = TextDiff::configure().timeout(TIMEOUT).diff_lines(old, new);
    let mut lines = Vec::new();
    let number = |index: Option<usize>| index.map_or(String::new(), |index| (index + 1).to_string());
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            lines.push(DiffLine { old: "…".to_owned(), new: "…".to_owned(), text: String::new(), tag: Tag::Gap });
        }
        for change in group.iter().flat_map(|operation| diff.iter_changes(operation)) {
            let tag = match change.tag() {
                ChangeTag::Equal => Tag::Equal,
                ChangeTag::Insert => Tag::Added,
                ChangeTag::Delete => Tag::Removed,
            };
            let text = change.value().trim_end_matches(['\n', '\r']).to_owned();
            lines.push(DiffLine { old: number(change.old_index()), new: number(change.new_index()), text, tag });
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
        lines(old, new).iter().map(|line| format!("{}{}", line.mark(), line.text)).collect()
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
