//! What is wrong with a form, above it: messages about the record, and links to the fields whose
//! values were refused. It takes the focus.

use super::form_field::FormField;

/// What the title of a page with errors begins with.
pub const ERROR: &str = "Error: ";

/// The message about files; each has its own beside the field.
const FILES: &str = "Some files cannot be attached.";

/// The summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorSummary {
    /// Messages that belong to no field.
    pub messages: Vec<String>,
    /// The ids of fields, with the messages about them.
    pub links: Vec<(String, String)>,
}

impl ErrorSummary {
    /// Creates the summary of these messages, and of the errors of fields.
    pub fn new<'f>(
        messages: &[String],
        fields: impl IntoIterator<Item = &'f FormField>,
    ) -> ErrorSummary {
        let links = fields
            .into_iter()
            .filter_map(|field| Some((field.id.clone(), field.error.clone()?)));
        ErrorSummary {
            messages: messages.to_vec(),
            links: links.collect(),
        }
    }

    /// Adds a field that has no view model, if there is something wrong with it.
    #[must_use]
    pub fn with(mut self, id: &str, message: Option<&str>) -> ErrorSummary {
        self.links
            .extend(message.map(|message| (id.to_owned(), message.to_owned())));
        self
    }

    /// Adds that files were refused, if there are messages about them.
    #[must_use]
    pub fn with_files(self, errors: &[String]) -> ErrorSummary {
        self.with("attachments", (!errors.is_empty()).then_some(FILES))
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.links.is_empty()
    }

    /// Adds to a title that something is wrong.
    pub fn mark_title(&self, title: &mut String) {
        if !self.is_empty() && !title.starts_with(ERROR) {
            title.insert_str(0, ERROR);
        }
    }
}
