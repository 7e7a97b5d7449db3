//! How common a word is, alike in every field.
//!
//! Attachment names and private notes live in fields that few documents carry. Their own statistics would make each word
//! there look rare and the texts look long; they are weighed as if they stood in the main text.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use tantivy::postings::TermInfo;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::matching::{Lengths, lengths, rarity};
use super::schema::Fields;
use super::snapshot::{Indexes, Snapshot};

/// Stands between the id of an author and a term of that author's private notes, and between the number of a custom field and a
/// term of its values.
pub(super) const OWNER_END: char = '\u{2}';

/// Where a term stands, segment by segment.
type Infos = Arc<[Option<TermInfo>]>;

/// Statistics of the main text for the fields beside it. Made for one question: what it has looked up it remembers.
pub(super) struct Statistics<'s> {
    snapshot: &'s Snapshot,
    main: HashMap<Field, Field>,
    records: u64,
    infos: RefCell<HashMap<Term, Infos>>,
    lengths: RefCell<HashMap<Field, Arc<Lengths>>>,
}

impl<'s> Statistics<'s> {
    pub fn new(snapshot: &'s Snapshot, fields: &Fields) -> Statistics<'s> {
        let restricted = fields.restricted.iter().flat_map(|field| [field.any.field, field.own.field]);
        let beside = fields.attachments.iter().chain(&fields.project_files).chain(&fields.custom).map(|text| text.field).chain(restricted);
        let main = fields.text.first().map(|text| text.field);
        Statistics {
            snapshot,
            main: main.into_iter().flat_map(|main| beside.clone().map(move |field| (field, main))).collect(),
            records: snapshot.searcher.segment_readers().iter().map(|reader| u64::from(reader.max_doc())).sum(),
            infos: RefCell::default(),
            lengths: RefCell::default(),
        }
    }

    /// The index of which these are.
    pub fn searcher(&self) -> &'s Searcher {
        &self.snapshot.searcher
    }

    /// The postings of a field, segment by segment.
    pub fn indexes(&self, field: Field) -> tantivy::Result<Indexes> {
        self.snapshot.indexes(field)
    }

    /// Where a term stands, segment by segment.
    pub fn infos(&self, term: &Term) -> tantivy::Result<Infos> {
        if let Some(infos) = self.infos.borrow().get(term) {
            return Ok(Arc::clone(infos));
        }
        let indexes = self.indexes(term.field())?;
        let infos: Infos = indexes.iter().map(|index| index.get_term_info(term)).collect::<Result<_, _>>()?;
        self.infos.borrow_mut().insert(term.clone(), Arc::clone(&infos));
        Ok(infos)
    }

    /// How many records have the term.
    pub fn having(&self, term: &Term) -> tantivy::Result<u64> {
        Ok(self.infos(term)?.iter().flatten().map(|info| u64::from(info.doc_freq)).sum())
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
        self.having(&Term::from_field_text(*main, text))
    }
}
