//! How common a word is, alike in every field.
//!
//! Attachment names and private notes live in fields that few documents carry. Their own statistics would make each word
//! there look rare and the texts look long; they are weighed as if they stood in the main text.

use std::collections::HashMap;
use tantivy::query::Bm25StatisticsProvider;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::schema::Fields;

/// Stands between the id of an author and a term of that author's private notes, and between the number of a custom field and a
/// term of its values.
pub(super) const OWNER_END: char = '\u{2}';

/// Statistics of the main text for the fields beside it.
pub(super) struct Statistics<'s> {
    searcher: &'s Searcher,
    main: HashMap<Field, Field>,
}

impl<'s> Statistics<'s> {
    pub fn new(searcher: &'s Searcher, fields: &Fields) -> Statistics<'s> {
        let restricted = fields.restricted.iter().flat_map(|field| [field.any.field, field.own.field]);
        let beside = fields.attachments.iter().chain(&fields.custom).map(|text| text.field).chain(restricted);
        let main = fields.text.first().map(|text| text.field);
        Statistics { searcher, main: main.into_iter().flat_map(|main| beside.clone().map(move |field| (field, main))).collect() }
    }
}

impl Bm25StatisticsProvider for Statistics<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        let field = self.main.get(&field).copied().unwrap_or(field);
        Bm25StatisticsProvider::total_num_tokens(self.searcher, field)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Bm25StatisticsProvider::total_num_docs(self.searcher)
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let own = self.searcher.doc_freq(term)?;
        match (self.main.get(&term.field()), term.value().as_str()) {
            (Some(main), Some(text)) => {
                let text = text.split_once(OWNER_END).map_or(text, |(_, text)| text);
                Ok(own.max(self.searcher.doc_freq(&Term::from_field_text(*main, text))?))
            }
            _ => Ok(own),
        }
    }
}
