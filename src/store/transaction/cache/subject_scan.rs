//! The folded subjects of all issues in memory, so that a scan finds a part of a word in all of
//! them within milliseconds. An index of words cannot find parts of words.
//!
//! The subjects follow the recorded changes, as the search index does. Memory: the bytes of the
//! subjects, and nine more for each.

use super::IssueIds;
use crate::StoreError;
use crate::engine::Value;
use crate::transaction::changes;
use crate::transaction::snapshot::Snapshot;
use memchr::memmem::Finder;
use quarry_domain::query::filter::Predicate;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{PoisonError, RwLock};

/// With more changes than this since the last use, all subjects are loaded again.
const MAX_CHANGES: i64 = 200_000;
/// Ids per block, as a power of two.
const BLOCK_BITS: u32 = 10;
/// Terminates every subject: UTF-8 text does not contain this byte.
const TERMINATOR: u8 = 0xff;

/// The subjects of all issues of a store.
#[derive(Default)]
pub struct SubjectScan(RwLock<SubjectColumn>);

#[derive(Default)]
struct SubjectColumn {
    /// The last change that the column reflects; `None` before it is loaded.
    seq: Option<i64>,
    blocks: BTreeMap<i64, Block>,
}

/// The subjects of issues with adjacent ids, concatenated in the order of the ids.
#[derive(Default)]
struct Block {
    text: Vec<u8>,
    /// For each issue its offset in the block, and where its subject ends in `text`.
    lines: Vec<(u16, u32)>,
}

/// A test with its words folded.
enum Matcher<'t> {
    All(Vec<Finder<'t>>),
    Any(Vec<Finder<'t>>),
    Prefix(&'t [u8]),
    Suffix(&'t [u8]),
}

impl SubjectScan {
    /// Returns the issues whose subject matches; `None` for a test that is not about parts of the
    /// text.
    pub fn find(
        &self,
        db: &Snapshot<'_>,
        predicate: &Predicate,
    ) -> Result<Option<IssueIds>, StoreError> {
        let Some(words) = folded_words(db, predicate)? else {
            return Ok(None);
        };
        let matcher = match predicate {
            Predicate::Contains(_) => Matcher::All(words.iter().map(Finder::new).collect()),
            // Negated: none of the words.
            Predicate::ContainsAny(_) | Predicate::NotContains(_) => {
                Matcher::Any(words.iter().map(Finder::new).collect())
            }
            Predicate::StartsWith(_) => {
                Matcher::Prefix(words.first().map_or(&[], String::as_bytes))
            }
            _ => Matcher::Suffix(words.first().map_or(&[], String::as_bytes)),
        };
        self.apply_changes(db)?;
        let column = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if column.seq.is_none() {
            // Another request failed to apply changes and has cleared the column.
            return Ok(None);
        }
        Ok(Some(column.find(
            &matcher,
            matches!(predicate, Predicate::NotContains(_)),
        )))
    }

    /// Reads the subjects that have changed; all of them on first use.
    pub fn apply_changes(&self, db: &Snapshot<'_>) -> Result<(), StoreError> {
        let last = changes::last(db)?;
        let column = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if column.is_current(last) {
            return Ok(());
        }
        drop(column);
        let mut column = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if column.is_current(last) {
            return Ok(());
        }
        let outcome = db.without_deadline(|| column.apply_changes(db, last));
        if outcome.is_err() {
            // The column may have half of the changes.
            *column = SubjectColumn::default();
        }
        outcome
    }
}

/// Returns the words of a test, folded as parts of their pattern: folding of a letter may depend on
/// whether it ends a word. `None` for other tests, and for words that no subject contains.
fn folded_words(
    db: &Snapshot<'_>,
    predicate: &Predicate,
) -> Result<Option<Vec<String>>, StoreError> {
    let (before, words, after) = match predicate {
        Predicate::Contains(words)
        | Predicate::ContainsAny(words)
        | Predicate::NotContains(words) => ("%", words.as_slice(), "%"),
        Predicate::StartsWith(word) => ("", std::slice::from_ref(word), "%"),
        Predicate::EndsWith(word) => ("%", std::slice::from_ref(word), ""),
        _ => return Ok(None),
    };
    if words.iter().any(|word| word.contains('\0')) {
        return Ok(None);
    }
    words
        .iter()
        .map(|word| fold(db, before, word, after))
        .collect::<Result<_, StoreError>>()
        .map(Some)
}

/// Returns the word folded as a part of this pattern.
fn fold(db: &Snapshot<'_>, before: &str, word: &str, after: &str) -> Result<String, StoreError> {
    let pattern = Value::from(format!("{before}{word}{after}"));
    let folded: Option<String> = db.first("SELECT folded(?1)", &[pattern], |row| row.next())?;
    let folded = folded.unwrap_or_default();
    let inner = folded.strip_prefix(before).unwrap_or(&folded);
    Ok(inner.strip_suffix(after).unwrap_or(inner).to_owned())
}

impl SubjectColumn {
    fn is_current(&self, last: i64) -> bool {
        self.seq.is_some_and(|seq| seq >= last)
    }

    fn apply_changes(&mut self, db: &Snapshot<'_>, last: i64) -> Result<(), StoreError> {
        if let Some(batches) = changes::issues_since(db, self.seq, last, MAX_CHANGES)? {
            for changed in batches {
                let sql = "SELECT id, folded(subject) FROM issues WHERE id IN ids(?1)";
                let subjects = db.rows(sql, &[Value::Ids(changed.clone())], |row| {
                    Ok((row.next()?, row.next()?))
                })?;
                self.replace(changed, subjects.into_iter().collect());
            }
        } else {
            self.blocks.clear();
            let blocks = &mut self.blocks;
            db.for_each_row(
                "SELECT id, folded(subject) FROM issues ORDER BY id",
                &[],
                &mut |row| {
                    let (block, offset) = position(row.next()?);
                    blocks
                        .entry(block)
                        .or_default()
                        .push(offset, &row.next::<String>()?);
                    Ok(())
                },
            )?;
        }
        self.seq = Some(last);
        Ok(())
    }

    /// Rebuilds the blocks of the changed issues; `subjects` has those that still exist.
    fn replace(&mut self, changed: Vec<i64>, subjects: BTreeMap<i64, String>) {
        let positions: BTreeSet<(i64, u16)> = changed.into_iter().map(position).collect();
        let block_ids: BTreeSet<i64> = positions.iter().map(|(block, _)| *block).collect();
        for block_id in block_ids {
            let old_block = self.blocks.remove(&block_id).unwrap_or_default();
            let unchanged = old_block
                .lines()
                .filter(|(offset, _)| !positions.contains(&(block_id, *offset)));
            let mut lines: BTreeMap<u16, &[u8]> = unchanged.collect();
            let first = block_id << BLOCK_BITS;
            let changed = subjects.range(first..=first.saturating_add((1 << BLOCK_BITS) - 1));
            lines.extend(changed.map(|(id, subject)| (position(*id).1, before_nul(subject))));
            let mut block = Block::default();
            lines
                .into_iter()
                .for_each(|(offset, line)| block.push_bytes(offset, line));
            if !block.lines.is_empty() {
                self.blocks.insert(block_id, block);
            }
        }
    }

    fn find(&self, matcher: &Matcher<'_>, negated: bool) -> IssueIds {
        let ids = self.blocks.iter().flat_map(|(block_id, block)| {
            let mut matching = vec![false; block.lines.len()];
            block.find(matcher, &mut matching);
            let lines = block
                .lines
                .iter()
                .zip(matching)
                .filter(move |(_, matches)| *matches != negated);
            lines
                .map(|((offset, _), _)| (*block_id << BLOCK_BITS) + i64::from(*offset))
                .collect::<Vec<_>>()
        });
        IssueIds::from_sorted(ids)
    }
}

/// Returns the block of an issue, and its offset in the block.
fn position(id: i64) -> (i64, u16) {
    (
        id >> BLOCK_BITS,
        u16::try_from(id & ((1 << BLOCK_BITS) - 1)).unwrap_or_default(),
    )
}

/// Returns the text before a NUL: SQLite compares no more than that.
fn before_nul(subject: &str) -> &[u8] {
    subject.split('\0').next().unwrap_or_default().as_bytes()
}

impl Block {
    fn push(&mut self, offset: u16, subject: &str) {
        self.push_bytes(offset, before_nul(subject));
    }

    fn push_bytes(&mut self, offset: u16, line: &[u8]) {
        self.text.extend_from_slice(line);
        self.lines
            .push((offset, u32::try_from(self.text.len()).unwrap_or(u32::MAX)));
        self.text.push(TERMINATOR);
    }

    fn lines(&self) -> impl Iterator<Item = (u16, &[u8])> {
        (0..self.lines.len()).map(|line| (self.lines[line].0, self.line(line)))
    }

    fn line(&self, line: usize) -> &[u8] {
        &self.text[self.start(line)..self.end(line)]
    }

    fn start(&self, line: usize) -> usize {
        if line == 0 { 0 } else { self.end(line - 1) + 1 }
    }

    fn end(&self, line: usize) -> usize {
        usize::try_from(self.lines[line].1).unwrap_or(usize::MAX)
    }

    fn find(&self, matcher: &Matcher<'_>, matching: &mut [bool]) {
        match matcher {
            Matcher::All(words) => {
                // The longest word is probably the rarest: only lines with it are checked for the
                // others.
                let Some(longest) = words.iter().max_by_key(|word| word.needle().len()) else {
                    return matching.fill(true);
                };
                self.for_each_match(longest, |line| {
                    matching[line] = words
                        .iter()
                        .all(|word| word.find(self.line(line)).is_some())
                });
            }
            Matcher::Any(words) => words
                .iter()
                .for_each(|word| self.for_each_match(word, |line| matching[line] = true)),
            Matcher::Prefix(text) => matching
                .iter_mut()
                .enumerate()
                .for_each(|(line, matches)| *matches = self.line(line).starts_with(text)),
            Matcher::Suffix(text) => matching
                .iter_mut()
                .enumerate()
                .for_each(|(line, matches)| *matches = self.line(line).ends_with(text)),
        }
    }

    /// Calls `visit` with every line that contains the word.
    fn for_each_match(&self, word: &Finder<'_>, mut visit: impl FnMut(usize)) {
        let mut line = 0;
        while line < self.lines.len() {
            let start = self.start(line);
            let Some(at) = word.find(&self.text[start..]) else {
                return;
            };
            line += self.lines[line..].partition_point(|(_, end)| {
                usize::try_from(*end).is_ok_and(|end| end < start + at)
            });
            visit(line);
            line += 1;
        }
    }
}
