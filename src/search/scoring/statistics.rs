//! How common terms are, the same in every field and without revealing what the viewer may not see.
//!
//! Attachment names and private notes are in fields that few documents have. Their own statistics
//! would make every word there look rare and every text look long, so they are scored with the
//! statistics of the main text.
//!
//! Scores are shown, so hidden records must not move them. Invariant: for a term that at most
//! [`MAX_COUNTED_DOCS`] records of the index have, only those count whose text this viewer may
//! read. The frequencies of more common terms, the number of records and the average text length
//! are rounded to coarse steps. `docs/search.md` says what that reveals.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use tantivy::postings::TermInfo;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Searcher, TERMINATED, Term};

use super::bm25::{NormTable, idf, norm_table};
use crate::access::filter::DocFilter;
use crate::access::restricted::RestrictedTextFilter;
use crate::access::visibility::Visibility;
use crate::schema::fields::Fields;
use crate::schema::scoped_term::OWNER_END;
use crate::snapshot::{InvertedIndexes, Segment, Snapshot};
use quarry_domain::index_feed::kind::Kind;

/// Terms in more records than this are not counted per viewer: that would take as long as the
/// search itself.
const MAX_COUNTED_DOCS: u64 = 1_000;
/// Rounding steps per doubling for the frequency of more common terms.
const FREQUENCY_STEPS: f32 = 4.0;
/// Rounding steps per doubling for the number of records and the average text length. One record
/// hardly moves these.
const SIZE_STEPS: f32 = 8.0;
/// Minimum number of records for scoring: in a smaller index each hidden record would show.
const MIN_RECORDS: u64 = 1_000;
/// Assumed average number of terms in a text and in a title of a smaller index.
const SMALL_INDEX_TEXT: f32 = 100.0;
const SMALL_INDEX_TITLE: f32 = 10.0;

/// The infos of a term by segment.
type TermInfos = Arc<[Option<TermInfo>]>;

/// The statistics for one search by one viewer. Caches what it looks up.
pub(crate) struct Statistics<'s> {
    snapshot: &'s Snapshot,
    /// What the viewer may see.
    filter: DocFilter,
    /// The main text field whose statistics stand in for those of a field.
    main: HashMap<Field, Field>,
    titles: Vec<Field>,
    records: u64,
    /// Whether nothing is hidden or rounded, to compare scores with tantivy.
    exact: bool,
    infos: RefCell<HashMap<Term, TermInfos>>,
    norms: RefCell<HashMap<Field, Arc<NormTable>>>,
    /// Frequencies of terms in unrestricted text.
    frequencies: RefCell<HashMap<Term, f32>>,
}

impl<'s> Statistics<'s> {
    /// Creates the statistics for a viewer.
    pub fn new(snapshot: &'s Snapshot, fields: &Fields, visibility: &Visibility) -> Statistics<'s> {
        let restricted = fields
            .restricted
            .iter()
            .flat_map(|field| [field.any.field, field.own.field]);
        let additional = fields
            .attachments
            .iter()
            .chain(&fields.project_files)
            .chain(&fields.custom)
            .map(|text| text.field)
            .chain(restricted);
        let main = fields.text.first().map(|text| text.field);
        Statistics {
            snapshot,
            filter: DocFilter::new(visibility, &Kind::ALL, None, None),
            main: main
                .into_iter()
                .flat_map(|main| additional.clone().map(move |field| (field, main)))
                .collect(),
            titles: fields.titles.iter().map(|text| text.field).collect(),
            records: snapshot
                .searcher
                .segment_readers()
                .iter()
                .map(|reader| u64::from(reader.max_doc()))
                .sum(),
            exact: false,
            infos: RefCell::default(),
            norms: RefCell::default(),
            frequencies: RefCell::default(),
        }
    }

    /// Creates statistics that hide nothing, to compare scores with tantivy.
    #[cfg(test)]
    pub fn exact(snapshot: &'s Snapshot, fields: &Fields) -> Statistics<'s> {
        Statistics {
            exact: true,
            ..Statistics::new(snapshot, fields, &Visibility::everything())
        }
    }

    /// Returns the snapshot.
    pub fn snapshot(&self) -> &'s Snapshot {
        self.snapshot
    }

    /// Returns the searcher of the snapshot.
    pub fn searcher(&self) -> &'s Searcher {
        &self.snapshot.searcher
    }

    /// Returns the inverted indexes of a field, one per segment.
    pub fn inverted_indexes(&self, field: Field) -> tantivy::Result<InvertedIndexes> {
        self.snapshot.inverted_indexes(field)
    }

    /// Looks up a term in each segment.
    pub fn term_infos(&self, term: &Term) -> tantivy::Result<TermInfos> {
        if let Some(infos) = self.infos.borrow().get(term) {
            return Ok(Arc::clone(infos));
        }
        let indexes = self.inverted_indexes(term.field())?;
        let infos: TermInfos = indexes
            .iter()
            .map(|index| index.get_term_info(term))
            .collect::<Result<_, _>>()?;
        self.infos
            .borrow_mut()
            .insert(term.clone(), Arc::clone(&infos));
        Ok(infos)
    }

    /// Returns how many documents have the term, hidden ones included.
    pub fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        Ok(self
            .term_infos(term)?
            .iter()
            .flatten()
            .map(|info| u64::from(info.doc_freq))
            .sum())
    }

    /// Returns the length normalization of a field.
    pub fn norms(&self, field: Field) -> tantivy::Result<Arc<NormTable>> {
        let field = self.main.get(&field).copied().unwrap_or(field);
        if let Some(norms) = self.norms.borrow().get(&field) {
            return Ok(Arc::clone(norms));
        }
        let norms = Arc::new(norm_table(self.average_len(field)?));
        self.norms.borrow_mut().insert(field, Arc::clone(&norms));
        Ok(norms)
    }

    fn average_len(&self, field: Field) -> tantivy::Result<f32> {
        if self.records < MIN_RECORDS && !self.exact {
            return Ok(if self.titles.contains(&field) {
                SMALL_INDEX_TITLE
            } else {
                SMALL_INDEX_TEXT
            });
        }
        let terms: u64 = self
            .inverted_indexes(field)?
            .iter()
            .map(|index| index.total_num_tokens())
            .sum();
        let average = terms as f32 / self.records as f32;
        Ok(if self.exact {
            average
        } else {
            round_to_steps(average, SIZE_STEPS)
        })
    }

    /// Returns the inverse document frequency of a term for the viewer, in text under this
    /// restriction, if any.
    pub fn idf(
        &self,
        term: &Term,
        restriction: Option<&RestrictedTextFilter>,
    ) -> tantivy::Result<f32> {
        let mut frequency = self.frequency(term, restriction)?;
        if let Some(main) = self.main_text_term(term) {
            frequency = frequency.max(self.frequency(&main, None)?);
        }
        Ok(self.idf_of(frequency))
    }

    /// Returns the inverse document frequency of a term with this frequency.
    pub fn idf_of(&self, frequency: f32) -> f32 {
        let records = self.records.max(MIN_RECORDS) as f32;
        if self.exact {
            idf(frequency, self.records as f32)
        } else {
            idf(frequency, round_to_steps(records, SIZE_STEPS))
        }
    }

    /// Returns how many records have a term in text that the viewer may read. For a common term,
    /// returns roughly how many records have it at all.
    pub fn frequency(
        &self,
        term: &Term,
        restriction: Option<&RestrictedTextFilter>,
    ) -> tantivy::Result<f32> {
        if restriction.is_some() {
            return self.count(term, restriction);
        }
        if let Some(frequency) = self.frequencies.borrow().get(term) {
            return Ok(*frequency);
        }
        let frequency = self.count(term, None)?;
        self.frequencies
            .borrow_mut()
            .insert(term.clone(), frequency);
        Ok(frequency)
    }

    fn count(
        &self,
        term: &Term,
        restriction: Option<&RestrictedTextFilter>,
    ) -> tantivy::Result<f32> {
        let doc_freq = self.doc_freq(term)?;
        if self.exact {
            return Ok(doc_freq as f32);
        }
        if doc_freq > MAX_COUNTED_DOCS {
            return Ok(round_to_steps(doc_freq as f32, FREQUENCY_STEPS));
        }
        let infos = self.term_infos(term)?;
        let indexes = self.inverted_indexes(term.field())?;
        let mut visible = 0_u16;
        for (segment, (info, index)) in self
            .snapshot
            .segments()?
            .zip(infos.iter().zip(indexes.iter()))
        {
            let Some(info) = info else { continue };
            let mut postings = index.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
            while postings.doc() != TERMINATED {
                visible += u16::from(self.is_visible(segment, postings.doc(), restriction));
                postings.advance();
            }
        }
        Ok(f32::from(visible))
    }

    fn is_visible(
        &self,
        Segment {
            reader, columns, ..
        }: Segment<'_>,
        doc: DocId,
        restriction: Option<&RestrictedTextFilter>,
    ) -> bool {
        reader
            .alive_bitset()
            .is_none_or(|alive| alive.is_alive(doc))
            && columns
                .visible_class(&self.filter, doc)
                .is_some_and(|class| restriction.is_none_or(|filter| filter.allows(class)))
    }

    /// Returns the same term in the main text, for a term of another field.
    fn main_text_term(&self, term: &Term) -> Option<Term> {
        let main = self.main.get(&term.field())?;
        let value = term.value();
        let text = value.as_str()?;
        let text = text.split_once(OWNER_END).map_or(text, |(_, text)| text);
        Some(Term::from_field_text(*main, text))
    }
}

/// Rounds to the nearest step on a logarithmic scale.
fn round_to_steps(value: f32, steps_per_doubling: f32) -> f32 {
    ((value.log2() * steps_per_doubling).round() / steps_per_doubling).exp2()
}

#[cfg(test)]
mod tests;
