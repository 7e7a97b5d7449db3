//! A document of a set, and the queries that its text makes.

/// The form of a query that is the text of a relevant document, to find the others.
pub const PASTE: &str = "paste";
/// Maximum number of characters of such a text.
const MAX_PASTE: usize = 8_000;
/// The form of a query that is a paragraph of prose: the first words of the text of a relevant
/// document, to find the others.
pub const PARAGRAPH: &str = "paragraph";
/// Minimum and maximum number of words of such a paragraph.
const PARAGRAPH_WORDS: (usize, usize) = (60, 120);

/// A document; hits name it by its index in the set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    pub id: String,
    pub title: String,
    pub text: String,
    pub notes: String,
    /// Seconds since 1970; 0 when it is not known.
    pub created: i64,
}

impl Document {
    /// Returns its text as a query; `None` if it is too short for that form.
    pub(crate) fn as_query(&self, form: &str) -> Option<String> {
        let text = if form == PARAGRAPH {
            let (min, max) = PARAGRAPH_WORDS;
            let words: Vec<&str> = self.text.split_whitespace().take(max).collect();
            if words.len() < min {
                return None;
            }
            words.join(" ")
        } else {
            format!("{} {}", self.title, self.text)
        };
        let text: String = text.chars().take(MAX_PASTE).collect();
        Some(without_operators(&text))
    }
}

/// Returns the words of a text so that none of them is an operator, excluded, or a qualifier.
fn without_operators(text: &str) -> String {
    let spaced = text.replace(['"', '“', '”', '„', ':', '*', '(', ')'], " ");
    let words = spaced.split_whitespace().map(|word| {
        let word = word.trim_start_matches('-');
        match word {
            "AND" | "OR" | "NOT" => word.to_lowercase(),
            word => word.to_owned(),
        }
    });
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_search::{TokenKind, searched_as_text, tokenize};

    #[test]
    fn text_of_a_document_has_no_operators_and_qualifiers() {
        let text = "if (a AND b) --verbose OR is:open, NOT x* \"quoted\" -y\n-z status:New :) ((";
        let document = Document {
            title: "Crash -- NOT found: (s)he".to_owned(),
            text: format!("{text} {}", "word ".repeat(60)),
            ..Document::default()
        };
        for form in [PASTE, PARAGRAPH] {
            let query = document.as_query(form).unwrap();
            assert_eq!(searched_as_text(&query), None, "{query}");
            for token in tokenize(&query).unwrap() {
                let is_word = matches!(&token.kind, TokenKind::Word(word) if !word.ends_with('*'));
                assert!(
                    is_word && !token.negated && !token.or,
                    "{token:?} in {query}"
                );
            }
        }
    }
}
