//! The check boxes of a text, for those who may edit it: the script ticks them.

use quarry_markup::TextFormat;
use twox_hash::XxHash3_64;

/// Where ticks are sent, and of which text.
pub struct Tasks {
    /// The address of the record; `/tasks` is appended.
    pub path: String,
    /// The [`fingerprint`] of the text.
    pub fingerprint: String,
}

impl Tasks {
    /// Returns them for a text of the record at this address; `None` if the viewer may not edit it, or
    /// it has no check boxes.
    pub fn new(may_edit: bool, path: impl Into<String>, text: &str) -> Option<Tasks> {
        let has_boxes = ["[ ]", "[x]", "[X]"].iter().any(|mark| text.contains(mark));
        (may_edit && has_boxes).then(|| Tasks {
            path: path.into(),
            fingerprint: fingerprint(text),
        })
    }
}

/// Returns a hash of a text, by which a later request knows that it is the same.
pub fn fingerprint(text: &str) -> String {
    format!("{:016x}", XxHash3_64::oneshot(text.as_bytes()))
}

/// Returns the text with some boxes ticked or cleared; `None` if it has no such boxes.
pub fn tick(text: &str, format: &str, changes: &[(usize, bool)]) -> Option<String> {
    quarry_markup::tasks::tick(text, TextFormat::from_setting(format), changes)
}
