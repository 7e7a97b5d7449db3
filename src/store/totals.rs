//! Totals that were counted before, as long as nothing has changed since.
//!
//! Counting a large list costs as much as reading it. A total is remembered with the statement, its values and the number of the
//! last change that it has seen; the next change of anything that can be found makes it worthless.

use super::engine::Value;
use super::{Read, StoreError, changes};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

/// How many totals are kept; when there are more, all are forgotten.
const MOST: usize = 10_000;

/// The totals, and the last change and the version of names and rights under which they were counted.
#[derive(Default)]
pub struct Totals(Mutex<Counted>);

#[derive(Default)]
struct Counted {
    under: (i64, i64),
    totals: HashMap<(u64, u64), i64>,
}

impl Totals {
    fn known(&self, under: (i64, i64), key: (u64, u64)) -> Option<i64> {
        let counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.under == under { counted.totals.get(&key).copied() } else { None }
    }

    fn remember(&self, under: (i64, i64), key: (u64, u64), total: i64) {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.under < under || counted.totals.len() >= MOST {
            *counted = Counted { under, totals: HashMap::new() };
        }
        // A snapshot from before the last change says nothing about after it.
        if counted.under == under {
            counted.totals.insert(key, total);
        }
    }
}

impl Read<'_> {
    /// The one number of a statement over issues alone; counted again only after a change.
    pub(super) fn total(&self, sql: &str, values: &[Value]) -> Result<i64, StoreError> {
        let Some(totals) = self.totals() else { return self.number(sql, values) };
        let (under, key) = ((changes::last(self)?, self.catalogue().version), key(sql, values));
        if let Some(total) = totals.known(under, key) {
            return Ok(total);
        }
        let total = self.number(sql, values)?;
        totals.remember(under, key, total);
        Ok(total)
    }
}

/// Two fingerprints, so that no two questions share one.
fn key(sql: &str, values: &[Value]) -> (u64, u64) {
    let fingerprint = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        (salt, sql).hash(&mut hasher);
        for value in values {
            match value {
                Value::Null => 0.hash(&mut hasher),
                Value::Int(number) => (1, number).hash(&mut hasher),
                Value::Real(number) => (2, number.to_bits()).hash(&mut hasher),
                Value::Text(text) => (3, text).hash(&mut hasher),
                Value::Ids(ids) => (4, ids).hash(&mut hasher),
                Value::Set(bytes) => (5, bytes).hash(&mut hasher),
            }
        }
        hasher.finish()
    };
    (fingerprint(1), fingerprint(2))
}
