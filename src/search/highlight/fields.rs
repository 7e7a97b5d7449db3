//! The text fields of a record, as in results and explanations.

use strum::IntoStaticStr;

/// A text field of a record. The order is that of display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TextField {
    /// Its subject, title or name.
    Title,
    /// Its description, content or body.
    Text,
    /// Its notes.
    Notes,
    /// Names and descriptions of its attachments.
    Attachments,
    /// Values of its custom fields.
    CustomFields,
}

impl TextField {
    /// Returns the name in responses.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
