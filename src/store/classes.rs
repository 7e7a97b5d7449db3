//! How many issues there are of each class (project, status, private or not), in memory, so that the total of a long list is a sum of
//! few numbers and not a walk through all of it.
//!
//! The counts follow the numbered changes as the search index does, so no way of writing can be forgotten that the index knows
//! of. About 35 bytes an issue.

use super::changes;
use super::engine::Value;
use super::{Read, StoreError};
use crate::domain::kind::Kind;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// How many changes are read at once; with more than [`ANEW`] behind, everything is read anew.
const PAGE: usize = 5_000;
const ANEW: i64 = 200_000;

/// What issues of one class have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// Their project.
    pub project: i64,
    /// Their status.
    pub status: i64,
    /// Whether they are private.
    pub private: bool,
}

/// The counts of a store.
#[derive(Debug, Default)]
pub struct Classes(RwLock<Mirror>);

#[derive(Debug, Default)]
struct Mirror {
    /// The change up to which everything is counted; `None` before the first reading.
    seq: Option<i64>,
    class_of: HashMap<i64, Class>,
    counts: HashMap<i64, Vec<(Class, i64)>>,
    all: i64,
    /// Sums of these counts.
    sums: Mutex<HashMap<(u64, u64), Sum>>,
}

/// A sum over the classes that somebody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// How many issues there are in them.
    pub count: i64,
    /// Whether the viewer sees more, which depends on whose they are.
    pub depends: bool,
}

/// How many sums are kept; when there are more, all are forgotten.
const SUMS: usize = 10_000;

impl Classes {
    /// Hands the counts as of the snapshot to `sum`. A snapshot that is older than what another has made known gets the newer
    /// counts, by the milliseconds for which a request holds its snapshot. Not for a transaction that writes: what it sees may
    /// be undone, and must not be told to others.
    pub(super) fn with<T>(&self, db: &Read<'_>, sum: impl FnOnce(&Counts<'_>) -> T) -> Result<T, StoreError> {
        let last = changes::last(db)?;
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if known.seq.is_some_and(|seq| seq >= last) {
            return Ok(sum(&Counts(&known)));
        }
        drop(known);
        let mut mirror = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let outcome = mirror.follow(db, last);
        if outcome.is_err() {
            // Half of the changes may be counted.
            *mirror = Mirror::default();
        }
        outcome?;
        Ok(sum(&Counts(&mirror)))
    }
}

/// The counts of one moment.
pub struct Counts<'m>(&'m Mirror);

impl Counts<'_> {
    /// Every project that has or had issues, with the number of its issues of each class.
    pub fn projects(&self) -> impl Iterator<Item = (i64, &[(Class, i64)])> {
        self.0.counts.iter().map(|(project, classes)| (*project, classes.as_slice()))
    }

    /// The sum for this question, made once until an issue changes.
    pub fn sum(&self, question: impl Hash, make: impl FnOnce() -> Sum) -> Sum {
        // Two fingerprints, so that no two questions share one.
        let fingerprint = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, &question).hash(&mut hasher);
            hasher.finish()
        };
        let key = (fingerprint(1), fingerprint(2));
        if let Some(known) = self.sums().get(&key) {
            return *known;
        }
        let sum = make();
        let mut sums = self.sums();
        if sums.len() >= SUMS {
            sums.clear();
        }
        sums.insert(key, sum);
        sum
    }

    fn sums(&self) -> MutexGuard<'_, HashMap<(u64, u64), Sum>> {
        self.0.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many issues there are.
    pub fn all(&self) -> i64 {
        self.0.all
    }
}

impl Mirror {
    fn follow(&mut self, db: &Read<'_>, last: i64) -> Result<(), StoreError> {
        let Some(mut seq) = self.seq.filter(|seq| last - seq < ANEW) else {
            return self.read_anew(db, last);
        };
        while seq < last {
            let changed = changes::after(db, seq, PAGE)?;
            let ids: Vec<i64> = changed.iter().filter(|change| change.kind == Kind::Issue).map(|change| change.id).collect();
            self.read(db, ids)?;
            seq = if changed.len() < PAGE { last } else { changed.last().map_or(last, |change| change.seq) };
        }
        self.seq = Some(last.max(seq));
        Ok(())
    }

    fn read_anew(&mut self, db: &Read<'_>, last: i64) -> Result<(), StoreError> {
        *self = Mirror::default();
        let rows = db.rows("SELECT id, project_id, status_id, is_private FROM issues", &[], row)?;
        self.class_of.reserve(rows.len());
        for (id, class) in rows {
            self.put(id, Some(class));
        }
        self.seq = Some(last);
        Ok(())
    }

    /// These issues may be new, another, or gone.
    fn read(&mut self, db: &Read<'_>, ids: Vec<i64>) -> Result<(), StoreError> {
        if ids.is_empty() {
            return Ok(());
        }
        let sql = "SELECT id, project_id, status_id, is_private FROM issues WHERE id IN ids(?1)";
        let mut found: HashMap<i64, Class> = db.rows(sql, &[Value::Ids(ids.clone())], row)?.into_iter().collect();
        for id in ids {
            self.put(id, found.remove(&id));
        }
        Ok(())
    }

    fn put(&mut self, id: i64, class: Option<Class>) {
        let before = match class {
            Some(class) => self.class_of.insert(id, class),
            None => self.class_of.remove(&id),
        };
        if before != class {
            self.sums.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
            before.into_iter().for_each(|class| self.add(class, -1));
            class.into_iter().for_each(|class| self.add(class, 1));
        }
    }

    fn add(&mut self, class: Class, many: i64) {
        let classes = self.counts.entry(class.project).or_default();
        match classes.iter_mut().find(|(known, _)| *known == class) {
            Some((_, count)) => *count += many,
            None => classes.push((class, many)),
        }
        self.all += many;
    }
}

fn row(row: &super::engine::Row<'_>) -> Result<(i64, Class), super::engine::StatementError> {
    Ok((row.read(0)?, Class { project: row.read(1)?, status: row.read(2)?, private: row.read(3)? }))
}
