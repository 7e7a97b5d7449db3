//! Which documents match a query, and with which score, computed over tantivy's postings.
//!
//! A [`Query`] is compiled to a [`Weight`], whose terms are looked up once. A [`Scorer`] iterates
//! over the documents of one segment. For frequent words a [`bulk_scorer`] finds candidates many
//! documents at a time; [`SegmentMatches`] chooses the faster way. [`MatchWindows`] evaluates several
//! weights at a time, to count. Boosts and statistics belong here too. May import: `schema`, `access`, `snapshot`.
//!
//! Why not tantivy's own weights and scorers? They count hidden records in the statistics that order
//! hits, cannot check a right for each text of a document before it matches, and with a filter around
//! them take 1.2 to 3 times as long (`docs/measurements/search.md`, "Tantivy's scorers"). What each
//! part of this module is for: [`Scorer`] for rights and cheap upper bounds, the windows for frequent
//! words, [`MatchWindows`] for exact totals of many queries at once, statistics for rankings that
//! depend on visible records only.

mod attribute;
mod bm25;
pub mod boosts;
mod bulk_scorer;
mod match_windows;
mod matches;
mod phrase;
mod phrase_weight;
mod query;
mod scorer;
pub mod statistics;
mod term_cursor;
mod term_postings;
mod weight;
mod window;

pub(crate) use bm25::BOUND_MARGIN;
pub(crate) use match_windows::MatchWindows;
pub(crate) use matches::SegmentMatches;
pub(crate) use query::Query;
pub(crate) use scorer::Scorer;
pub(crate) use weight::Weight;

#[cfg(test)]
mod tests;
