//! How common a word is, alike in every field.
//!
//! Attachment names and private notes live in fields that few documents carry. Their own statistics would make each word
//! there look rare and the texts look long; they are weighed as if they stood in the main text.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::matching::{Indexes, Lengths, lengths, rarity};
use super::schema::Fields;

/// Stands between the id of an author and a term of that author's private notes, and between the number of a custom field and a
/// term of its values.
pub(super) const OWNER_END: char = '\u{2}';

/// Statistics of the main text for the fields beside it. Made for one question: what it has looked up it remembers.
pub(super) struct Statistics<'s> {
    searcher: &'s Searcher,
    main: HashMap<Field, Field>,
    records: u64,
    indexes: RefCell<HashMap<Field, Indexes>>,
    lengths: RefCell<HashMap<Field, Arc<Lengths>>>,
}

impl<'s> Statistics<'s> {
    pub fn new(searcher: &'s Searcher, fields: &Fields) -> Statistics<'s> {
        let restricted = fields.restricted.iter().flat_map(|field| [field.any.field, field.own.field]);
        let beside = fields.attachments.iter().chain(&fields.custom).map(|text| text.field).chain(restricted);
        let main = fields.text.first().map(|text| text.field);
        Statistics {
            searcher,
            main: main.into_iter().flat_map(|main| beside.clone().map(move |field| (field, main))).collect(),
            records: searcher.segment_readers().iter().map(|reader| u64::from(reader.max_doc())).sum(),
            indexes: RefCell::default(),
            lengths: RefCell::default(),
        }
    }

    /// The index of which these are.
    pub fn searcher(&self) -> &'s Searcher {
        self.searcher
    }

    /// The postings of a field, segment by segment.
    pub fn indexes(&self, field: Field) -> tantivy::Result<Indexes> {
        if let Some(indexes) = self.indexes.borrow().get(&field) {
            return Ok(Arc::clone(indexes));
        }
        let readers = self.searcher.segment_readers().iter();
        let indexes: Indexes = readers.map(|reader| reader.inverted_index(field)).collect::<tantivy::Result<_>>()?;
        self.indexes.borrow_mut().insert(field, Arc::clone(&indexes));
        Ok(indexes)
    }

    /// What the lengths of texts do to scores in a field.
    pub fn lengths(&self, field: Field) -> tantivy::Result<Arc<Lengths>> {
        let field = self.main.get(&field).copied().unwrap_or(field);
        if let Some(lengths) = self.lengths.borrow().get(&field) {
            return Ok(Arc::clone(lengths));
        }
        let terms: u64 = self.indexes(field)?.iter().map(|index| index.total_num_tokens()).sum();
        let made = Arc::new(lengths(terms as f32 / self.records as f32));
        self.lengths.borrow_mut().insert(field, Arc::clone(&made));
        Ok(made)
    }

    /// How rare a term is that so many records have in its own field.
    pub fn rarity(&self, term: &Term, own: u64) -> tantivy::Result<f32> {
        Ok(rarity(own.max(self.beside(term)?), self.records))
    }

    /// How many records have the term of a field beside the main text in that.
    fn beside(&self, term: &Term) -> tantivy::Result<u64> {
        let Some(main) = self.main.get(&term.field()) else { return Ok(0) };
        let value = term.value();
        let Some(text) = value.as_str() else { return Ok(0) };
        let text = text.split_once(OWNER_END).map_or(text, |(_, text)| text);
        let term = Term::from_field_text(*main, text);
        let mut having = 0;
        for index in self.indexes(*main)?.iter() {
            having += u64::from(index.doc_freq(&term)?);
        }
        Ok(having)
    }
}
