//! Line diffs of two texts, as the wiki shows them (compatibility 13.4).
//!
//! Invariant: time and output are bounded, however long the texts are.

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{ChangeTag, DiffOp, group_diff_ops};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Timeout of a comparison. Lines that were not compared by then count as replaced.
const TIMEOUT: Duration = Duration::from_millis(200);
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
/// equal but for the ends of their lines.
pub fn lines(old: &str, new: &str) -> Vec<DiffLine> {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let mut lines = Vec::new();
    let groups = group_diff_ops(operations(&old, &new), CONTEXT);
    for (index, group) in groups.iter().enumerate() {
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
            .flat_map(|operation| operation.iter_changes(&old[..], &new[..]))
        {
            lines.push(DiffLine {
                old: line_number(change.old_index()),
                new: line_number(change.new_index()),
                text: change.value().to_owned(),
                change: match change.tag() {
                    ChangeTag::Equal => LineChange::Unchanged,
                    ChangeTag::Insert => LineChange::Added,
                    ChangeTag::Delete => LineChange::Removed,
                },
            });
            if lines.len() >= MAX_LINES {
                return lines;
            }
        }
    }
    lines
}

/// Returns what makes the new lines from the old ones. Lines are compared as numbers: so the
/// algorithm is compiled once, and each line is hashed once.
pub(super) fn operations<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<DiffOp> {
    let mut numbers = HashMap::new();
    let mut numbered = |lines: &[&'a str]| -> Vec<usize> {
        lines
            .iter()
            .map(|line| {
                let next = numbers.len();
                *numbers.entry(*line).or_insert(next)
            })
            .collect()
    };
    let old = numbered(old);
    let new = numbered(new);
    let mut captured = Compact::new(Replace::new(Capture::new()), &old[..], &new[..]);
    let deadline = Instant::now().checked_add(TIMEOUT);
    let Ok(()) = myers::diff_deadline(
        &mut captured,
        &old[..],
        0..old.len(),
        &new[..],
        0..new.len(),
        deadline,
    );
    captured.into_inner().into_inner().into_ops()
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
        assert!(diff("a\r\nb", "a\nb\n").is_empty());
        let old: String = (0..40).map(|line| format!("{line}\n")).collect();
        let new = old.replace("5\n", "five\n");
        assert!(diff(&old, &new).len() < 40);
    }
}
