//! Validation errors in Redmine's words (compatibility 6.4).

use super::text::capitalize;

/// Returns the error of a text of more than `max` characters; `None` for a shorter one.
pub fn too_long(text: &str, max: usize) -> Option<String> {
    // Counts characters only if the number of bytes does not decide.
    let exceeds = text.len() > max && text.chars().count() > max;
    exceeds.then(|| format!("is too long (maximum is {max} characters)"))
}

/// The validation errors of a record, in the order in which they are shown: those of custom fields
/// first (compatibility 3.5).
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ValidationErrors {
    messages: Vec<String>,
    /// How many of them, at the start, are about custom fields.
    custom_fields: usize,
}

impl ValidationErrors {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the error `<label> <message>`.
    pub fn add(&mut self, label: &str, message: &str) {
        self.messages.push(format!("{label} {message}"));
    }

    /// Adds the error of the custom field with this name.
    pub fn add_custom_field(&mut self, name: &str, message: &str) {
        self.messages.insert(
            self.custom_fields,
            format!("{} {message}", capitalize(name)),
        );
        self.custom_fields += 1;
    }

    /// Adds an error that concerns no single attribute.
    pub fn add_message(&mut self, message: &str) {
        self.messages.push(message.to_owned());
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
        if self.messages.is_empty() {
            Ok(())
        } else {
            Err(self.messages)
        }
    }

    /// Returns the errors.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_custom_fields_come_first_with_a_capital_letter() {
        let mut errors = ValidationErrors::new();
        errors.add("Name", "cannot be blank");
        errors.add_custom_field("cost Center", "is not a number");
        errors.add_custom_field("été", "is invalid");
        let messages = [
            "Cost Center is not a number",
            "Été is invalid",
            "Name cannot be blank",
        ];
        assert_eq!(errors.messages(), messages);
        assert_eq!(
            errors.into_result(),
            Err(messages.map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn text_limit_counts_characters() {
        let message = |text: &str| too_long(text, 3);
        assert_eq!(
            (message(""), message("abc"), message("äöü")),
            (None, None, None)
        );
        assert_eq!(
            message("abcd").as_deref(),
            Some("is too long (maximum is 3 characters)")
        );
        assert_eq!(message("äöü€"), message("abcd"));
    }
}
