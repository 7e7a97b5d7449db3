//! The text fields of a record, as in results and explanations.

/// A text field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// All fields, in display order.
    pub const ALL: [TextField; 5] = [
        TextField::Title,
        TextField::Text,
        TextField::Notes,
        TextField::Attachments,
        TextField::CustomFields,
    ];

    /// Returns the name in responses.
    pub fn name(self) -> &'static str {
        match self {
            TextField::Title => "title",
            TextField::Text => "text",
            TextField::Notes => "notes",
            TextField::Attachments => "attachments",
            TextField::CustomFields => "custom_fields",
        }
    }
}
