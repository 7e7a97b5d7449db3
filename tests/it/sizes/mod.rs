//! Limits of sizes: of texts, of pages of lists, and of single issues with long histories.

mod histories;
mod pages;
mod texts;
