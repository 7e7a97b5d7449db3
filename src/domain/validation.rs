//! Validation errors in Redmine's words (compatibility 6.4).

/// Returns the error of a text of more than `max` characters; `None` for a shorter one.
pub fn too_long(text: &str, max: usize) -> Option<String> {
    // Counts characters only if the number of bytes does not decide.
    let exceeds = text.len() > max && text.chars().count() > max;
    exceeds.then(|| format!("is too long (maximum is {max} characters)"))
}

/// The validation errors of a record, in the order in which they are shown.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ValidationErrors(Vec<String>);

impl ValidationErrors {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the error `<label> <message>`.
    pub fn add(&mut self, label: &str, message: &str) {
        self.0.push(format!("{label} {message}"));
    }

    /// Adds an error that concerns no single attribute.
    pub fn add_message(&mut self, message: &str) {
        self.0.push(message.to_owned());
    }

    /// Adds an error if the text is blank or has more than `max` characters.
    pub fn require_text(&mut self, label: &str, text: &str, max: usize) {
        if super::text::is_blank(text) {
            self.add(label, "cannot be blank");
        } else if text.chars().count() > max {
            self.add(label, &format!("is too long (maximum is {max} characters)"));
        }
    }

    /// Adds an error if the text has more than `max` characters.
    pub fn limit_text(&mut self, label: &str, text: &str, max: usize) {
        if let Some(message) = too_long(text, max) {
            self.add(label, &message);
        }
    }

    /// Returns the errors as `Err`; `Ok` without errors.
    pub fn into_result(self) -> Result<(), Vec<String>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }

    /// Returns the errors.
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
