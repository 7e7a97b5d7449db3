//! Finds the text fields in which each word occurs.

use super::fields::TextField;
use super::highlighter::{Highlighter, ReadState, sort};

/// Maximum number of bytes of a text that are searched.
const MAX_BYTES: usize = 256 * 1024;

impl Highlighter<'_> {
    /// Returns, for each word of the query with its alternatives, the fields that contain it. At
    /// most 256 KB of each text are searched.
    pub fn fields<'t>(
        &self,
        texts: impl IntoIterator<Item = (TextField, &'t str)>,
    ) -> Vec<Vec<TextField>> {
        let mut fields = vec![Vec::new(); self.query_index.len()];
        for (field, text) in texts {
            let mut marks = Vec::new();
            let text = &text[..text.floor_char_boundary(MAX_BYTES)];
            self.find_words(text, (0, 0), &mut ReadState::default(), &mut marks);
            sort(&mut marks);
            for mark in marks {
                if !fields[mark.word].contains(&field) {
                    fields[mark.word].push(field);
                }
            }
        }
        for fields in &mut fields {
            fields.sort_unstable();
        }
        fields
    }
}
