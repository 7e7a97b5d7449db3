//! The subjects of all issues in memory, in small letters, so that a part of a word is found in all of them within milliseconds: no
//! index of words knows parts of words.
//!
//! They follow the numbered changes, as the counts of [`super::classes`] do. The bytes of the subjects, and nine more for each.

use super::engine::Value;
use super::remembered::Ids;
use super::{Read, StoreError, changes};
use crate::domain::query::filter::Test;
use memchr::memmem::Finder;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{PoisonError, RwLock};

/// With more changes behind, everything is read anew.
const ANEW: i64 = 200_000;
/// How many numbers of issues share a block, as a power of two.
const BLOCK: u32 = 10;
/// What stands behind every subject: no text has such a byte in it.
const END: u8 = 0xff;

/// The subjects of a store.
#[derive(Default)]
pub struct Subjects(RwLock<Column>);

#[derive(Default)]
struct Column {
    /// The change up to which it holds; `None` before the first reading.
    seq: Option<i64>,
    blocks: BTreeMap<i64, Block>,
}

/// The subjects of the issues whose numbers lie together, one behind the other in the order of their numbers.
#[derive(Default)]
struct Block {
    text: Vec<u8>,
    /// The number of each issue within the block, and where its subject ends.
    lines: Vec<(u16, u32)>,
}

/// A test with its words in small letters.
enum Looked<'t> {
    All(Vec<Finder<'t>>),
    Any(Vec<Finder<'t>>),
    Begins(&'t [u8]),
    Ends(&'t [u8]),
}

impl Subjects {
    /// The issues whose subject fits; `None` for a test that is not about parts of the text.
    pub(super) fn find(&self, db: &Read<'_>, test: &Test) -> Result<Option<Ids>, StoreError> {
        let Some(words) = words(db, test)? else { return Ok(None) };
        let looked = match test {
            Test::Contains(_) | Test::Lacks(_) => Looked::All(words.iter().map(Finder::new).collect()),
            Test::ContainsAny(_) => Looked::Any(words.iter().map(Finder::new).collect()),
            Test::Begins(_) => Looked::Begins(words.first().map_or(&[], String::as_bytes)),
            _ => Looked::Ends(words.first().map_or(&[], String::as_bytes)),
        };
        self.follow(db)?;
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if known.seq.is_none() {
            // Another request could not follow, and has put everything away.
            return Ok(None);
        }
        Ok(Some(known.find(&looked, matches!(test, Test::Lacks(_)))))
    }

    /// Reads what has changed, or everything at first.
    pub(super) fn follow(&self, db: &Read<'_>) -> Result<(), StoreError> {
        let last = changes::last(db)?;
        let reached = |column: &Column| column.seq.is_some_and(|seq| seq >= last);
        if reached(&self.0.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(());
        }
        let mut column = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if reached(&column) {
            return Ok(());
        }
        let outcome = db.without_deadline(|| column.follow(db, last));
        if outcome.is_err() {
            // Half of the changes may be in it.
            *column = Column::default();
        }
        outcome
    }
}

/// The words of a test, folded where they stand: a letter may be another at the end of a word. `None` for other tests, and for what
/// no subject has in it.
fn words(db: &Read<'_>, test: &Test) -> Result<Option<Vec<String>>, StoreError> {
    let (before, words, after) = match test {
        Test::Contains(words) | Test::ContainsAny(words) | Test::Lacks(words) => ("%", words.as_slice(), "%"),
        Test::Begins(word) => ("", std::slice::from_ref(word), "%"),
        Test::Ends(word) => ("%", std::slice::from_ref(word), ""),
        _ => return Ok(None),
    };
    if words.iter().any(|word| word.contains('\0')) {
        return Ok(None);
    }
    let fold = |word: &String| {
        let said = Value::from(format!("{before}{word}{after}"));
        let folded: Option<String> = db.first("SELECT folded(?1)", &[said], |row| row.read(0))?;
        let folded = folded.unwrap_or_default();
        let inner = folded.strip_prefix(before).unwrap_or(&folded);
        Ok(inner.strip_suffix(after).unwrap_or(inner).to_owned())
    };
    words.iter().map(fold).collect::<Result<_, StoreError>>().map(Some)
}

impl Column {
    fn follow(&mut self, db: &Read<'_>, last: i64) -> Result<(), StoreError> {
        if let Some(changed) = changes::issues_since(db, self.seq, last, ANEW)? {
            for page in changed {
                let sql = "SELECT id, folded(subject) FROM issues WHERE id IN ids(?1)";
                let found = db.rows(sql, &[Value::Ids(page.clone())], |row| Ok((row.read(0)?, row.read(1)?)))?;
                self.put(page, found.into_iter().collect());
            }
        } else {
            self.blocks.clear();
            let blocks = &mut self.blocks;
            db.each("SELECT id, folded(subject) FROM issues ORDER BY id", &[], |row| {
                let (block, within) = place(row.read(0)?);
                blocks.entry(block).or_default().push(within, &row.read::<String>(1)?);
                Ok(())
            })?;
        }
        self.seq = Some(last);
        Ok(())
    }

    /// Writes the blocks of these issues anew, with what was found of the issues.
    fn put(&mut self, changed: Vec<i64>, found: BTreeMap<i64, String>) {
        let places: BTreeSet<(i64, u16)> = changed.into_iter().map(place).collect();
        let blocks: BTreeSet<i64> = places.iter().map(|(block, _)| *block).collect();
        for number in blocks {
            let before = self.blocks.remove(&number).unwrap_or_default();
            let kept = before.lines().filter(|(within, _)| !places.contains(&(number, *within)));
            let mut lines: BTreeMap<u16, &[u8]> = kept.collect();
            let first = number << BLOCK;
            let changed = found.range(first..=first.saturating_add((1 << BLOCK) - 1));
            lines.extend(changed.map(|(id, subject)| (place(*id).1, compared(subject))));
            let mut block = Block::default();
            lines.into_iter().for_each(|(within, line)| block.push_bytes(within, line));
            if !block.lines.is_empty() {
                self.blocks.insert(number, block);
            }
        }
    }

    fn find(&self, looked: &Looked<'_>, turned: bool) -> Ids {
        let found = self.blocks.iter().flat_map(|(number, block)| {
            let mut fit = vec![false; block.lines.len()];
            block.find(looked, &mut fit);
            let fit = block.lines.iter().zip(fit).filter(move |(_, fit)| *fit != turned);
            fit.map(|((within, _), _)| (*number << BLOCK) + i64::from(*within)).collect::<Vec<_>>()
        });
        Ids::ascending(found)
    }
}

/// The block of an issue, and its number within.
fn place(id: i64) -> (i64, u16) {
    (id >> BLOCK, u16::try_from(id & ((1 << BLOCK) - 1)).unwrap_or_default())
}

/// The engine compares what stands before a NUL.
fn compared(subject: &str) -> &[u8] {
    subject.split('\0').next().unwrap_or_default().as_bytes()
}

impl Block {
    fn push(&mut self, within: u16, subject: &str) {
        self.push_bytes(within, compared(subject));
    }

    fn push_bytes(&mut self, within: u16, line: &[u8]) {
        self.text.extend_from_slice(line);
        self.lines.push((within, u32::try_from(self.text.len()).unwrap_or(u32::MAX)));
        self.text.push(END);
    }

    fn lines(&self) -> impl Iterator<Item = (u16, &[u8])> {
        (0..self.lines.len()).map(|line| (self.lines[line].0, self.line(line)))
    }

    fn line(&self, line: usize) -> &[u8] {
        let begin = if line == 0 { 0 } else { self.end(line - 1) + 1 };
        &self.text[begin..self.end(line)]
    }

    fn end(&self, line: usize) -> usize {
        usize::try_from(self.lines[line].1).unwrap_or(usize::MAX)
    }

    fn find(&self, looked: &Looked<'_>, fit: &mut [bool]) {
        match looked {
            Looked::All(words) => {
                // The longest is the rarest; what has it is looked at for the others.
                let Some(lead) = words.iter().max_by_key(|word| word.needle().len()) else { return fit.fill(true) };
                self.each(lead, |line| fit[line] = words.iter().all(|word| word.find(self.line(line)).is_some()));
            }
            Looked::Any(words) => words.iter().for_each(|word| self.each(word, |line| fit[line] = true)),
            Looked::Begins(text) => fit.iter_mut().enumerate().for_each(|(line, fit)| *fit = self.line(line).starts_with(text)),
            Looked::Ends(text) => fit.iter_mut().enumerate().for_each(|(line, fit)| *fit = self.line(line).ends_with(text)),
        }
    }

    /// Every line that has the word in it.
    fn each(&self, word: &Finder<'_>, mut take: impl FnMut(usize)) {
        let mut line = 0;
        while line < self.lines.len() {
            let begin = if line == 0 { 0 } else { self.end(line - 1) + 1 };
            let Some(found) = word.find(&self.text[begin..]) else { return };
            line += self.lines[line..].partition_point(|(_, end)| usize::try_from(*end).is_ok_and(|end| end < begin + found));
            take(line);
            line += 1;
        }
    }
}
