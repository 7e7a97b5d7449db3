//! What makes a record invalid, said in Redmine's words (compatibility 6.4).

/// What is wrong with a text of more than `max` characters; `None` for a shorter one.
pub fn too_long(text: &str, max: usize) -> Option<String> {
    // Characters are counted only where the bytes do not tell.
    let exceeds = text.len() > max && text.chars().count() > max;
    exceeds.then(|| format!("is too long (maximum is {max} characters)"))
}

/// The errors about one record, in the order in which they are shown.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ValidationErrors(Vec<String>);

impl ValidationErrors {
    /// No complaint yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `<label> <what>`.
    pub fn add(&mut self, label: &str, what: &str) {
        self.0.push(format!("{label} {what}"));
    }

    /// Adds a sentence that names no single attribute.
    pub fn add_message(&mut self, message: &str) {
        self.0.push(message.to_owned());
    }

    /// Demands a text that is not blank and has at most `most` characters.
    pub fn require_text(&mut self, label: &str, text: &str, max: usize) {
        if super::text::is_blank(text) {
            self.add(label, "cannot be blank");
        } else if text.chars().count() > max {
            self.add(label, &format!("is too long (maximum is {max} characters)"));
        }
    }

    /// Refuses a text of more than `max` characters.
    pub fn limit_text(&mut self, label: &str, text: &str, max: usize) {
        if let Some(message) = too_long(text, max) {
            self.add(label, &message);
        }
    }

    /// `Ok` when there is no complaint.
    pub fn into_result(self) -> Result<(), Vec<String>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }

    /// The errors so far.
    pub fn messages(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_limit_counts_characters() {
        let message = |text: &str| too_long(text, 3);
        assert_eq!((message(""), message("abc"), message("äöü")), (None, None, None));
        assert_eq!(message("abcd").as_deref(), Some("is too long (maximum is 3 characters)"));
        assert_eq!(message("äöü€"), message("abcd"));
    }
}
