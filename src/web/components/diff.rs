//! The differences of two texts, line by line.

use quarry_domain::values::text_diff;
use quarry_domain::values::text_diff::LineChange;

/// A line of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// Its number in the old text.
    pub old: String,
    /// Its number in the new text.
    pub new: String,
    pub text: String,
    change: LineChange,
}

impl DiffLine {
    /// Returns the CSS class.
    pub fn class(&self) -> &'static str {
        match self.change {
            LineChange::Unchanged => "",
            LineChange::Added => "added",
            LineChange::Removed => "removed",
            LineChange::Gap => "gap",
        }
    }

    /// Returns the sign in front of the line.
    pub fn mark(&self) -> &'static str {
        match self.change {
            LineChange::Added => "+",
            LineChange::Removed => "-",
            LineChange::Unchanged | LineChange::Gap => " ",
        }
    }
}

/// Returns the changed lines with some around them; empty when the texts are equal.
pub fn lines(old: &str, new: &str) -> Vec<DiffLine> {
    text_diff::lines(old, new)
        .into_iter()
        .map(|line| DiffLine {
            old: line_number(line.change, line.old),
            new: line_number(line.change, line.new),
            text: line.text,
            change: line.change,
        })
        .collect()
}

fn line_number(change: LineChange, number: Option<usize>) -> String {
    match change {
        LineChange::Gap => "…".to_owned(),
        _ => number.map_or(String::new(), |number| number.to_string()),
    }
}
