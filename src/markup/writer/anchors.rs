//! Anchors of headings.

use std::collections::HashMap;

/// Maximum length of an anchor, in bytes.
const MAX_ANCHOR: usize = 120;

/// A heading of the text.
#[derive(Debug, Default)]
pub(super) struct Heading {
    /// Its level in the page, from 1 to 6.
    pub level: usize,
    /// Its plain text.
    pub text: String,
    /// The id of its element.
    pub anchor: String,
    /// Where the section that it starts begins in the text; `None` for a heading within another
    /// block.
    pub start: Option<usize>,
}

/// Gives each heading its own anchor.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    used: HashMap<String, usize>,
}

impl Anchors {
    /// Returns the anchor for a heading: its letters and digits, with hyphens for spaces, and a
    /// number where the anchor is used already.
    pub fn anchor(&mut self, text: &str) -> String {
        let mut anchor = String::new();
        for c in text.trim().chars() {
            if anchor.len() >= MAX_ANCHOR {
                break;
            }
            if c.is_alphanumeric() || c == '_' {
                anchor.push(c);
            } else if (c.is_whitespace() || c == '-') && !anchor.ends_with('-') {
                anchor.push('-');
            }
        }
        let anchor = anchor.trim_matches('-');
        let anchor = if anchor.is_empty() { "section" } else { anchor };
        let mut count = self.used.get(anchor).copied().unwrap_or(0) + 1;
        let mut unique = if count == 1 {
            anchor.to_owned()
        } else {
            format!("{anchor}-{count}")
        };
        while count > 1 && self.used.contains_key(&unique) {
            count += 1;
            unique = format!("{anchor}-{count}");
        }
        self.used.insert(anchor.to_owned(), count);
        self.used.entry(unique.clone()).or_insert(1);
        unique
    }
}

/// Returns the anchor of the section that a wiki link names: `[[Page#My section]]` leads to
/// `#My-section`.
pub(super) fn fragment_anchor(fragment: &str) -> String {
    Anchors::default().anchor(fragment)
}
