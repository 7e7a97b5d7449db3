//! How common a word is, alike in every field, and without telling what the viewer may not see.
//!
//! Attachment names and private notes live in fields that few documents carry. Their own statistics would make each word
//! there look rare and the texts look long; they are weighed as if they stood in the main text.
//!
//! Scores are shown, so hidden records must not move them. Invariant: a word that at most [`COUNTED_UP_TO`] records have, of all in
//! the index, is as rare as the records that have it where this viewer may read it; hidden ones have no part in that. More common
//! words, the number of records and the average length of texts enter in coarse steps only. `docs/search.md` says what that tells.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use tantivy::postings::TermInfo;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Searcher, TERMINATED, Term};

use super::gate::Gate;
use super::matching::{Lengths, lengths, rarity};
use super::schema::Fields;
use super::snapshot::{Indexes, Segment, Snapshot};
use super::visibility::{Filter, Visibility};
use crate::domain::kind::Kind;

/// Words in more records of the index than this are not counted for each viewer: that would take as long as the search itself.
const COUNTED_UP_TO: u64 = 1_000;
/// Steps from a frequency to its double, of more common words.
const FREQUENCY_STEPS: f32 = 4.0;
/// Steps from a number of records, or an average length, to its double. One record hardly moves these.
const SIZE_STEPS: f32 = 8.0;
/// An index with fewer records is weighed as one with so many: in a small one each hidden record would show.
const MIN_RECORDS: u64 = 1_000;
/// The average number of terms in a text of such an index, and in a title.
const SMALL_INDEX_TEXT: f32 = 100.0;
const SMALL_INDEX_TITLE: f32 = 10.0;

/// Stands between the id of an author and a term of that author's private notes, and between the number of a custom field and a
/// term of its values.
pub(super) const OWNER_END: char = '\u{2}';

/// Where a term stands, segment by segment.
type Infos = Arc<[Option<TermInfo>]>;

/// Statistics of the main text for the fields beside it. Made for one question: what it has looked up it remembers.
pub(super) struct Statistics<'s> {
    snapshot: &'s Snapshot,
    /// What the viewer may see.
    filter: Filter,
    main: HashMap<Field, Field>,
    titles: Vec<Field>,
    records: u64,
    /// Whether everything enters as it is, for comparing with the engine.
    exact: bool,
    infos: RefCell<HashMap<Term, Infos>>,
    lengths: RefCell<HashMap<Field, Arc<Lengths>>>,
    /// Frequencies of terms that are read through no gate.
    frequencies: RefCell<HashMap<Term, f32>>,
}

impl<'s> Statistics<'s> {
    /// Statistics for a viewer.
    pub fn new(snapshot: &'s Snapshot, fields: &Fields, visibility: &Visibility) -> Statistics<'s> {
        let restricted = fields.restricted.iter().flat_map(|field| [field.any.field, field.own.field]);
        let beside = fields.attachments.iter().chain(&fields.project_files).chain(&fields.custom).map(|text| text.field).chain(restricted);
        let main = fields.text.first().map(|text| text.field);
        Statistics {
            snapshot,
            filter: Filter::new(visibility, &Kind::ALL, None, None),
            main: main.into_iter().flat_map(|main| beside.clone().map(move |field| (field, main))).collect(),
            titles: fields.titles.iter().map(|text| text.field).collect(),
            records: snapshot.searcher.segment_readers().iter().map(|reader| u64::from(reader.max_doc())).sum(),
            exact: false,
            infos: RefCell::default(),
            lengths: RefCell::default(),
            frequencies: RefCell::default(),
        }
    }

    /// Statistics that hide nothing, for comparing with the engine.
    #[cfg(test)]
    pub fn exact(snapshot: &'s Snapshot, fields: &Fields) -> Statistics<'s> {
        Statistics { exact: true, ..Statistics::new(snapshot, fields, &Visibility::everything()) }
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

    /// How many records have the term, whoever may see them.
    pub fn having(&self, term: &Term) -> tantivy::Result<u64> {
        Ok(self.infos(term)?.iter().flatten().map(|info| u64::from(info.doc_freq)).sum())
    }

    /// What the lengths of texts do to scores in a field.
    pub fn lengths(&self, field: Field) -> tantivy::Result<Arc<Lengths>> {
        let field = self.main.get(&field).copied().unwrap_or(field);
        if let Some(lengths) = self.lengths.borrow().get(&field) {
            return Ok(Arc::clone(lengths));
        }
        let made = Arc::new(lengths(self.average_length(field)?));
        self.lengths.borrow_mut().insert(field, Arc::clone(&made));
        Ok(made)
    }

    fn average_length(&self, field: Field) -> tantivy::Result<f32> {
        if self.records < MIN_RECORDS && !self.exact {
            return Ok(if self.titles.contains(&field) { SMALL_INDEX_TITLE } else { SMALL_INDEX_TEXT });
        }
        let terms: u64 = self.indexes(field)?.iter().map(|index| index.total_num_tokens()).sum();
        let average = terms as f32 / self.records as f32;
        Ok(if self.exact { average } else { coarse(average, SIZE_STEPS) })
    }

    /// How rare a term is for the viewer, of a text that is read through the gate, if there is one.
    pub fn rarity(&self, term: &Term, gate: Option<&Gate>) -> tantivy::Result<f32> {
        let mut frequency = self.frequency(term, gate)?;
        if let Some(main) = self.beside(term) {
            frequency = frequency.max(self.frequency(&main, None)?);
        }
        Ok(self.rarity_of(frequency))
    }

    /// How rare a term is with this frequency.
    pub fn rarity_of(&self, frequency: f32) -> f32 {
        let records = self.records.max(MIN_RECORDS) as f32;
        if self.exact { rarity(frequency, self.records as f32) } else { rarity(frequency, coarse(records, SIZE_STEPS)) }
    }

    /// How many records have a term where the viewer may read it; of a term that very many have, about how many have it in all.
    pub fn frequency(&self, term: &Term, gate: Option<&Gate>) -> tantivy::Result<f32> {
        if gate.is_some() {
            return self.count(term, gate);
        }
        if let Some(frequency) = self.frequencies.borrow().get(term) {
            return Ok(*frequency);
        }
        let frequency = self.count(term, None)?;
        self.frequencies.borrow_mut().insert(term.clone(), frequency);
        Ok(frequency)
    }

    fn count(&self, term: &Term, gate: Option<&Gate>) -> tantivy::Result<f32> {
        let having = self.having(term)?;
        if self.exact {
            return Ok(having as f32);
        }
        if having > COUNTED_UP_TO {
            return Ok(coarse(having as f32, FREQUENCY_STEPS));
        }
        let (infos, indexes) = (self.infos(term)?, self.indexes(term.field())?);
        let mut visible = 0_u16;
        for (segment, (info, index)) in self.snapshot.segments()?.zip(infos.iter().zip(indexes.iter())) {
            let Some(info) = info else { continue };
            let mut postings = index.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
            while postings.doc() != TERMINATED {
                visible += u16::from(self.is_visible(segment, postings.doc(), gate));
                postings.advance();
            }
        }
        Ok(f32::from(visible))
    }

    fn is_visible(&self, Segment { reader, columns, .. }: Segment<'_>, doc: DocId, gate: Option<&Gate>) -> bool {
        reader.alive_bitset().is_none_or(|alive| alive.is_alive(doc))
            && columns.found(&self.filter, doc).is_some_and(|class| gate.is_none_or(|gate| gate.is_open(class)))
    }

    /// The same term in the main text, of one in a field beside that.
    fn beside(&self, term: &Term) -> Option<Term> {
        let main = self.main.get(&term.field())?;
        let value = term.value();
        let text = value.as_str()?;
        let text = text.split_once(OWNER_END).map_or(text, |(_, text)| text);
        Some(Term::from_field_text(*main, text))
    }
}

/// The nearest of the steps of which there are so many from a number to its double.
fn coarse(value: f32, steps_per_doubling: f32) -> f32 {
    ((value.log2() * steps_per_doubling).round() / steps_per_doubling).exp2()
}

#[cfg(test)]
mod tests;
