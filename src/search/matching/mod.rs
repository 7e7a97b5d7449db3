//! Which records match a question, and how well: our own way over the postings of the engine.
//!
//! A question is a tree of [`Clause`]s. [`Sought`] is the same with its terms looked up once, [`Cursor`] goes over the documents of one
//! segment. It goes in two steps: a cursor stands at documents that have all the terms, which is cheap to know; whether their
//! positions make the phrases ([`Cursor::holds`]), and the score that phrases give, is found out for those documents alone where it matters.
//! Where words stand in many documents, a [`sieve`] says first which documents come into question at all; [`Hits`] takes the better way.

mod bm25;
mod clause;
mod cursor;
mod hits;
mod phrase;
mod sieve;
mod sought;
mod union;

pub(super) use bm25::{Lengths, MARGIN, lengths, rarity};
pub(super) use clause::{Clause, best};
pub(super) use cursor::Cursor;
pub(super) use hits::Hits;
pub(super) use sought::Sought;

#[cfg(test)]
mod tests;
