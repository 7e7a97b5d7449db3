//! The score of a term or phrase: Okapi BM25.

use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;

/// Saturation of the term frequency.
const K1: f32 = 1.2;
/// Strength of the length normalization.
const B: f32 = 0.75;

/// Factor for upper bounds of scores. Sums of the same floats differ a little with their order;
/// this is more than that.
pub(crate) const BOUND_MARGIN: f32 = 1.0001;

/// The length-dependent part of BM25, by the field norm id of tantivy.
pub(crate) type NormTable = [f32; 256];

/// Scores a term or phrase in one field.
#[derive(Clone, Debug)]
pub(crate) struct Bm25 {
    weight: f32,
    norms: Arc<NormTable>,
}

impl Bm25 {
    /// Creates a scorer for a term with this [`idf`], or for a phrase whose terms have this sum of
    /// idfs.
    pub fn new(idf: f32, boost: f32, norms: Arc<NormTable>) -> Bm25 {
        Bm25 {
            weight: idf * (1.0 + K1) * boost,
            norms,
        }
    }

    /// Returns the upper bound of the score.
    pub fn max_score(&self) -> f32 {
        self.weight
    }

    /// Whether both normalize lengths with the same table.
    pub fn has_same_norms(&self, other: &Bm25) -> bool {
        Arc::ptr_eq(&self.norms, &other.norms)
    }

    /// Adds the weight of another scorer.
    pub fn add_weight(&mut self, other: &Bm25) {
        self.weight += other.weight;
    }

    /// Returns the score for a text with this field norm id and term frequency.
    #[inline]
    pub fn score(&self, fieldnorm_id: u8, term_freq: u32) -> f32 {
        let term_freq = term_freq as f32;
        self.weight * (term_freq / (term_freq + self.norms[usize::from(fieldnorm_id)]))
    }
}

/// Returns the inverse document frequency of a term in `doc_freq` of `num_docs` documents.
pub(crate) fn idf(doc_freq: f32, num_docs: f32) -> f32 {
    let others = (num_docs - doc_freq).max(0.0) + 0.5;
    (1.0 + others / (doc_freq + 0.5)).ln()
}

/// Returns the table for texts with this average number of terms.
pub(crate) fn norm_table(average_len: f32) -> NormTable {
    std::array::from_fn(|id| {
        let len = FieldNormReader::id_to_fieldnorm(id as u8) as f32;
        K1 * (1.0 - B + B * len / average_len)
    })
}
