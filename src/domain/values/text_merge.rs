//! Three-way merge of texts by lines, for two people who change the same text.
//!
//! Invariant: a merged text has every change of both; where that is not clear, nothing is merged.

use super::text_diff::operations;
use similar::DiffOp;
use std::ops::Range;

/// Lines that one side has replaced.
struct Hunk {
    /// Their range in the common text; empty for an insertion.
    base: Range<usize>,
    /// The range of the lines that replace them.
    new: Range<usize>,
}

/// Merges two texts that come from a common one. Returns `None` when both have changed the same
/// lines differently, or have inserted lines at the same place. Line ends are compared as they are.
pub fn merge(base: &str, own: &str, other: &str) -> Option<String> {
    if own == other || base == other {
        return Some(own.to_owned());
    }
    if base == own {
        return Some(other.to_owned());
    }
    let base: Vec<&str> = base.split('\n').collect();
    let own: Vec<&str> = own.split('\n').collect();
    let other: Vec<&str> = other.split('\n').collect();
    let mut own_hunks = hunks(&base, &own).into_iter().peekable();
    let mut other_hunks = hunks(&base, &other).into_iter().peekable();
    let mut merged: Vec<&str> = Vec::with_capacity(base.len());
    let mut position = 0;
    loop {
        let is_own_first = match (own_hunks.peek(), other_hunks.peek()) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) if a.touches(b) => {
                if a.base != b.base || own[a.new.clone()] != other[b.new.clone()] {
                    return None;
                }
                // Both have made the same change.
                other_hunks.next();
                true
            }
            (Some(a), Some(b)) => a.base.start < b.base.start,
        };
        let (hunk, lines) = if is_own_first {
            (own_hunks.next()?, &own)
        } else {
            (other_hunks.next()?, &other)
        };
        merged.extend(&base[position..hunk.base.start]);
        merged.extend(&lines[hunk.new]);
        position = hunk.base.end;
    }
    merged.extend(&base[position..]);
    Some(merged.join("\n"))
}

impl Hunk {
    /// Whether two hunks change the same lines, or one inserts lines at an edge of the other.
    fn touches(&self, other: &Hunk) -> bool {
        if self.base.is_empty() || other.base.is_empty() {
            self.base.start <= other.base.end && other.base.start <= self.base.end
        } else {
            self.base.start < other.base.end && other.base.start < self.base.end
        }
    }
}

fn hunks(base: &[&str], new: &[&str]) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for operation in operations(base, new)
        .iter()
        .filter(|operation| !matches!(operation, DiffOp::Equal { .. }))
    {
        let hunk = Hunk {
            base: operation.old_range(),
            new: operation.new_range(),
        };
        match hunks.last_mut() {
            // A deletion next to an insertion is one change.
            Some(last) if last.base.end == hunk.base.start && last.new.end == hunk.new.start => {
                last.base.end = hunk.base.end;
                last.new.end = hunk.new.end;
            }
            _ => hunks.push(hunk),
        }
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::merge;
    use proptest::prelude::*;

    #[test]
    fn changes_of_different_lines_are_merged() {
        for (base, own, other, expected) in [
            ("a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"),
            (
                "a\nb\nc\n",
                "a\nb\nc\nd\n",
                "0\na\nb\nc\n",
                "0\na\nb\nc\nd\n",
            ),
            ("a\nb", "A\nb", "a\nB", "A\nB"),
            ("a\nb\nc", "a\nc", "a\nb\nC", "a\nC"),
            ("a\nb\nc\nd", "A\nb\nc\nD", "a\nb\nx\nc\nd", "A\nb\nx\nc\nD"),
        ] {
            assert_eq!(merge(base, own, other).as_deref(), Some(expected));
            assert_eq!(merge(base, other, own).as_deref(), Some(expected));
        }
    }

    #[test]
    fn same_change_of_both_is_made_once() {
        let merged = merge("a\nb\nc", "a\nB\nc\nd", "a\nB\nc");
        assert_eq!(merged.as_deref(), Some("a\nB\nc\nd"));
    }

    #[test]
    fn different_changes_of_the_same_lines_are_a_conflict() {
        for (base, own, other) in [
            ("a\nb\nc", "a\nB\nc", "a\nX\nc"),
            ("a\nb\nc", "a\nc", "a\nX\nc"),
            ("a\nb", "a\nown\nb", "a\nother\nb"),
            ("a\nb\n", "a\nb\nown\n", "a\nb\nother\n"),
            ("a\nb\nc\nd", "a\nX\nd", "a\nb\nC\nd"),
            ("", "own", "other"),
        ] {
            assert_eq!(merge(base, own, other), None, "{own:?} {other:?}");
        }
    }

    #[test]
    fn huge_texts_are_merged_or_refused_in_time() {
        let base: String = (0..100_000).map(|line| format!("{line}\n")).collect();
        let own: String = (0..100_000).rev().map(|line| format!("{line}\n")).collect();
        let other = format!("{base}end\n");
        let started = std::time::Instant::now();
        let _ = merge(&base, &own, &other);
        assert!(started.elapsed().as_secs() < 60);
    }

    fn texts() -> impl Strategy<Value = String> {
        proptest::collection::vec("[abc]?", 0..8).prop_map(|lines| lines.join("\n"))
    }

    proptest! {
        #![proptest_config(proptest::test_runner::Config::default())]

        #[test]
        fn merge_has_every_line_that_one_side_has_added(base in texts(), own in texts(), other in texts()) {
            let own = own.replace('a', "own");
            let other = other.replace('a', "other");
            if let Some(merged) = merge(&base, &own, &other) {
                let count = |text: &str, word: &str| text.split('\n').filter(|line| *line == word).count();
                prop_assert_eq!(count(&merged, "own"), count(&own, "own"));
                prop_assert_eq!(count(&merged, "other"), count(&other, "other"));
            }
        }

        #[test]
        fn change_of_one_side_is_kept(base in texts(), own in texts()) {
            prop_assert_eq!(merge(&base, &own, &base), Some(own.clone()));
            prop_assert_eq!(merge(&base, &base, &own), Some(own));
        }
    }
}
