//! How many issues there are of each class (project, status, private or not), in memory, so that the total of a long list is a sum of
//! few numbers and not a walk through all of it.
//!
//! The counts follow the numbered changes as the search index does, so no way of writing can be forgotten that the index knows
//! of. About 35 bytes an issue.

use super::engine::Value;
use super::remembered::Ids;
use super::{Read, StoreError, changes};
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// With more changes behind, everything is read anew.
const ANEW: i64 = 200_000;
/// How many numbers of issues share a block, as a power of two.
const BLOCK: u32 = 10;

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
    /// Every class that there ever was.
    classes: Vec<Class>,
    places: HashMap<Class, u32>,
    /// The class of each issue, as its place among the classes plus one; 0 where there is no issue of that number.
    class_of: BTreeMap<i64, Box<[u32; 1 << BLOCK]>>,
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
        if mirror.seq.is_some_and(|seq| seq >= last) {
            return Ok(sum(&Counts(&mirror)));
        }
        let outcome = db.without_deadline(|| mirror.follow(db, last));
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

    /// The issues of the classes that are wanted.
    pub fn issues(&self, wanted: impl Fn(&Class) -> bool) -> Ids {
        let wanted: Vec<bool> = std::iter::once(false).chain(self.0.classes.iter().map(wanted)).collect();
        let fits = |place: u32| usize::try_from(place).is_ok_and(|place| wanted[place]);
        let numbered = |block: i64| (block << BLOCK..).take(1 << BLOCK);
        let blocks = self.0.class_of.iter();
        let all = blocks.flat_map(|(block, places)| numbered(*block).zip(places.iter().copied()));
        Ids::ascending(all.filter(|(_, place)| fits(*place)).map(|(id, _)| id))
    }

    /// How many issues there are.
    pub fn all(&self) -> i64 {
        self.0.all
    }
}

impl Mirror {
    fn follow(&mut self, db: &Read<'_>, last: i64) -> Result<(), StoreError> {
        let Some(changed) = changes::issues_since(db, self.seq, last, ANEW)? else { return self.read_anew(db, last) };
        changed.into_iter().try_for_each(|page| self.read(db, page))?;
        self.seq = Some(last);
        Ok(())
    }

    fn read_anew(&mut self, db: &Read<'_>, last: i64) -> Result<(), StoreError> {
        *self = Mirror::default();
        let rows = db.rows("SELECT id, project_id, status_id, is_private FROM issues", &[], row)?;
        for (id, class) in rows {
            self.put(id, Some(class));
        }
        self.seq = Some(last);
        Ok(())
    }

    /// These issues may be new, another, or gone.
    fn read(&mut self, db: &Read<'_>, ids: Vec<i64>) -> Result<(), StoreError> {
        let sql = "SELECT id, project_id, status_id, is_private FROM issues WHERE id IN ids(?1)";
        let mut found: HashMap<i64, Class> = db.rows(sql, &[Value::Ids(ids.clone())], row)?.into_iter().collect();
        for id in ids {
            self.put(id, found.remove(&id));
        }
        Ok(())
    }

    fn put(&mut self, id: i64, class: Option<Class>) {
        let place = class.map_or(0, |class| self.place(class));
        let block = self.class_of.entry(id >> BLOCK).or_insert_with(|| Box::new([0; 1 << BLOCK]));
        let within = usize::try_from(id & ((1 << BLOCK) - 1)).unwrap_or_default();
        let before = std::mem::replace(&mut block[within], place);
        if before != place {
            self.sums.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
            let before = before.checked_sub(1).and_then(|place| self.classes.get(usize::try_from(place).ok()?)).copied();
            before.into_iter().for_each(|class| self.add(class, -1));
            class.into_iter().for_each(|class| self.add(class, 1));
        }
    }

    /// The place of a class among the classes, plus one.
    fn place(&mut self, class: Class) -> u32 {
        let classes = &mut self.classes;
        *self.places.entry(class).or_insert_with(|| {
            classes.push(class);
            u32::try_from(classes.len()).unwrap_or(0)
        })
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
