//! A window: a run of documents of a segment that are evaluated together, and sets of them.

use tantivy::DocId;

/// Number of documents in a window. Its bits, and a number for each document, fit into the L1 cache
/// of a processor.
pub(crate) const WINDOW: usize = 4096;
/// Number of 64-bit words in a bit set over a window.
pub(crate) const BIT_WORDS: usize = WINDOW / 64;

/// A set of documents of a window, as bits.
pub(crate) type BitSet = [u64; BIT_WORDS];

/// No documents.
pub(crate) const EMPTY: BitSet = [0; BIT_WORDS];
/// All documents.
pub(crate) const FULL: BitSet = [u64::MAX; BIT_WORDS];

/// Returns the offset of a document in the window with this first document; `None` if it is after
/// the window.
#[inline]
pub(super) fn offset_in_window(start: DocId, doc: DocId) -> Option<usize> {
    let offset = (doc - start) as usize;
    (offset < WINDOW).then_some(offset)
}
