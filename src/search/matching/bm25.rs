//! How much a term says of a record: Okapi BM25.

use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;

/// How soon more of the same word adds no more.
const K1: f32 = 1.2;
/// How much the length of the text counts.
const B: f32 = 0.75;

/// Sums of the same floating-point numbers differ a little with their order; bounds are raised by more than that.
pub(in crate::search) const MARGIN: f32 = 1.0001;

/// What the lengths of texts do to a score, by the code under which the engine keeps a length.
pub(in crate::search) type Lengths = [f32; 256];

/// The weight of a term or of a phrase in one field.
#[derive(Clone, Debug)]
pub(in crate::search) struct Bm25 {
    weight: f32,
    lengths: Arc<Lengths>,
}

impl Bm25 {
    /// For a term of this rarity (see [`rarity`]), or a phrase of terms whose rarities sum to it.
    pub fn new(rarity: f32, boost: f32, lengths: Arc<Lengths>) -> Bm25 {
        Bm25 { weight: rarity * (1.0 + K1) * boost, lengths }
    }

    /// More than this it never scores.
    pub fn most(&self) -> f32 {
        self.weight
    }

    /// Whether both weigh the lengths of texts alike.
    pub fn has_lengths_of(&self, other: &Bm25) -> bool {
        Arc::ptr_eq(&self.lengths, &other.lengths)
    }

    /// Adds the weight of another.
    pub fn raise(&mut self, other: &Bm25) {
        self.weight += other.weight;
    }

    /// The score where it stands so often in a text of this length.
    #[inline]
    pub fn score(&self, length: u8, frequency: u32) -> f32 {
        let frequency = frequency as f32;
        self.weight * (frequency / (frequency + self.lengths[usize::from(length)]))
    }
}

/// How rare a term is that so many of so many records have.
pub(in crate::search) fn rarity(having: f32, records: f32) -> f32 {
    let others = (records - having).max(0.0) + 0.5;
    (1.0 + others / (having + 0.5)).ln()
}

/// What lengths do where texts have so many terms on average.
pub(in crate::search) fn lengths(average: f32) -> Lengths {
    std::array::from_fn(|code| {
        let length = FieldNormReader::id_to_fieldnorm(code as u8) as f32;
        K1 * (1.0 - B + B * length / average)
    })
}
