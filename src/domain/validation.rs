//! What makes a record invalid, said in Redmine's words (contract 4.4).

/// What is wrong with a text of more than `max` characters; `None` for a shorter one.
pub fn too_long(text: &str, max: usize) -> Option<String> {
    // Characters are counted only where the bytes do not tell.
    let exceeds = text.len() > max && text.chars().count() > max;
    exceeds.then(|| format!("is too long (maximum is {max} characters)"))
}

/// The complaints about one record, in the order in which they are shown.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Complaints(Vec<String>);

impl Complaints {
    /// No complaint yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `<label> <what>`.
    pub fn add(&mut self, label: &str, what: &str) {
        self.0.push(format!("{label} {what}"));
    }

    /// Adds a sentence that names no single attribute.
    pub fn say(&mut self, sentence: &str) {
        self.0.push(sentence.to_owned());
    }

    /// Demands a text that is not blank and has at most `most` characters.
    pub fn require_text(&mut self, label: &str, text: &str, most: usize) {
        if super::text::is_blank(text) {
            self.add(label, "cannot be blank");
        } else if text.chars().count() > most {
            self.add(label, &format!("is too long (maximum is {most} characters)"));
        }
    }

    /// Refuses a text of more than `max` characters.
    pub fn limit_text(&mut self, label: &str, text: &str, max: usize) {
        if let Some(complaint) = too_long(text, max) {
            self.add(label, &complaint);
        }
    }

    /// `Ok` when there is no complaint.
    pub fn into_result(self) -> Result<(), Vec<String>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }

    /// The complaints so far.
    pub fn messages(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_limit_counts_characters() {
        let complaint = |text: &str| too_long(text, 3);
        assert_eq!((complaint(""), complaint("abc"), complaint("äöü")), (None, None, None));
        assert_eq!(complaint("abcd").as_deref(), Some("is too long (maximum is 3 characters)"));
        assert_eq!(complaint("äöü€"), complaint("abcd"));
    }
}
