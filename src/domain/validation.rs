//! Validation errors in Redmine's words (compatibility 6.4).

use super::ids::CustomFieldId;
use crate::values::text::capitalize;
use std::fmt;

/// What the attributes of custom fields begin with; their ids follow.
const CUSTOM_FIELDS: &str = "custom_field_values.";

/// Returns the error of a text of more than `max` characters; `None` for a shorter one.
pub fn too_long(text: &str, max: usize) -> Option<String> {
    // Counts characters only if the number of bytes does not decide.
    let exceeds = text.len() > max && text.chars().count() > max;
    exceeds.then(|| format!("is too long (maximum is {max} characters)"))
}

/// What is wrong with an attribute, or with a record as a whole. Its `Display` is the sentence that
/// clients get, in Redmine's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationError {
    /// The attribute as in request bodies, such as `fixed_version_id`, or `custom_field_values.3`;
    /// `None` if the error concerns no single one.
    pub attribute: Option<String>,
    /// What people call the attribute, such as `Target version`.
    pub label: String,
    /// The rest of the sentence, such as `cannot be blank`.
    pub message: String,
}

impl ValidationError {
    /// Creates the error of an attribute.
    pub fn new(attribute: &str, label: &str, message: &str) -> ValidationError {
        ValidationError {
            attribute: Some(attribute.to_owned()),
            label: label.to_owned(),
            message: message.to_owned(),
        }
    }

    /// Creates the error of a custom field, whose name begins with a capital letter in sentences.
    pub fn for_custom_field(id: CustomFieldId, name: &str, message: &str) -> ValidationError {
        ValidationError::new(&format!("{CUSTOM_FIELDS}{id}"), &capitalize(name), message)
    }

    /// Creates an error that concerns no single attribute.
    pub fn for_record(message: impl Into<String>) -> ValidationError {
        ValidationError {
            attribute: None,
            label: String::new(),
            message: message.into(),
        }
    }

    /// Whether it concerns this attribute.
    pub fn is_about(&self, attribute: &str) -> bool {
        self.attribute.as_deref() == Some(attribute)
    }

    /// Returns the custom field that it concerns.
    pub fn custom_field(&self) -> Option<CustomFieldId> {
        let id = self.attribute.as_deref()?.strip_prefix(CUSTOM_FIELDS)?;
        id.parse().ok().map(CustomFieldId)
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.label.is_empty() {
            write!(f, "{} ", self.label)?;
        }
        f.write_str(&self.message)
    }
}

/// The validation errors of a record, in the order in which they are shown: those of custom fields
/// first (compatibility 3.5).
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ValidationErrors {
    errors: Vec<ValidationError>,
    /// How many of them, at the start, are about custom fields.
    custom_fields: usize,
}

impl ValidationErrors {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the error of an attribute.
    pub fn add(&mut self, attribute: &str, label: &str, message: &str) {
        self.push(ValidationError::new(attribute, label, message));
    }

    /// Adds an error at the end.
    pub fn push(&mut self, error: ValidationError) {
        self.errors.push(error);
    }

    /// Adds the error of a custom field after those of other custom fields.
    pub fn add_custom_field(&mut self, id: CustomFieldId, name: &str, message: &str) {
        let error = ValidationError::for_custom_field(id, name, message);
        self.errors.insert(self.custom_fields, error);
        self.custom_fields += 1;
    }

    /// Adds an error that concerns no single attribute.
    pub fn add_message(&mut self, message: &str) {
        self.push(ValidationError::for_record(message));
    }

    /// Adds an error if the text is blank or has more than `max` characters.
    pub fn require_text(&mut self, attribute: &str, label: &str, text: &str, max: usize) {
        if crate::values::text::is_blank(text) {
            self.add(attribute, label, "cannot be blank");
        } else {
            self.limit_text(attribute, label, text, max);
        }
    }

    /// Adds an error if a text of one line, such as a subject, has a line break that it did not have `before`: in
    /// a mail it would begin another header. Imported texts stay as they are until they change.
    pub fn refuse_line_breaks(
        &mut self,
        attribute: &str,
        label: &str,
        text: &str,
        before: Option<&str>,
    ) {
        if before != Some(text) && text.contains(['\r', '\n']) {
            self.add(attribute, label, "cannot contain line breaks");
        }
    }

    /// Adds an error if the text has more than `max` characters.
    pub fn limit_text(&mut self, attribute: &str, label: &str, text: &str, max: usize) {
        if let Some(message) = too_long(text, max) {
            self.add(attribute, label, &message);
        }
    }

    /// Returns the errors as `Err`; `Ok` without errors.
    pub fn into_result(self) -> Result<(), ValidationErrors> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Returns the errors in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, ValidationError> {
        self.errors.iter()
    }

    /// Returns a sentence for each error.
    pub fn messages(&self) -> Vec<String> {
        self.iter().map(ValidationError::to_string).collect()
    }
}

impl From<ValidationError> for ValidationErrors {
    fn from(error: ValidationError) -> Self {
        ValidationErrors {
            errors: vec![error],
            custom_fields: 0,
        }
    }
}

impl From<Vec<ValidationError>> for ValidationErrors {
    fn from(errors: Vec<ValidationError>) -> Self {
        ValidationErrors {
            errors,
            custom_fields: 0,
        }
    }
}

impl FromIterator<String> for ValidationErrors {
    /// Creates errors that concern no single attribute from their sentences.
    fn from_iter<T: IntoIterator<Item = String>>(messages: T) -> Self {
        let errors: Vec<_> = messages
            .into_iter()
            .map(ValidationError::for_record)
            .collect();
        errors.into()
    }
}

impl Extend<ValidationError> for ValidationErrors {
    fn extend<T: IntoIterator<Item = ValidationError>>(&mut self, errors: T) {
        self.errors.extend(errors);
    }
}

impl IntoIterator for ValidationErrors {
    type Item = ValidationError;
    type IntoIter = std::vec::IntoIter<ValidationError>;

    fn into_iter(self) -> Self::IntoIter {
        self.errors.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_custom_fields_come_first_with_a_capital_letter() {
        let mut errors = ValidationErrors::new();
        errors.add("name", "Name", "cannot be blank");
        errors.add_custom_field(CustomFieldId(3), "cost Center", "is not a number");
        errors.add_custom_field(CustomFieldId(5), "été", "is invalid");
        let messages = [
            "Cost Center is not a number",
            "Été is invalid",
            "Name cannot be blank",
        ];
        assert_eq!(errors.messages(), messages);
        let attributes: Vec<_> = errors.iter().map(|error| error.attribute.clone()).collect();
        let expected = ["custom_field_values.3", "custom_field_values.5", "name"];
        assert_eq!(attributes, expected.map(|name| Some(name.to_owned())));
        let fields: Vec<_> = errors.iter().map(ValidationError::custom_field).collect();
        let expected = [Some(CustomFieldId(3)), Some(CustomFieldId(5)), None];
        assert_eq!(fields, expected);
        assert_eq!(errors.clone().into_result(), Err(errors));
    }

    #[test]
    fn text_limit_counts_characters() {
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

    fn message(text: &str) -> Option<String> {
        too_long(text, 3)
    }
}
