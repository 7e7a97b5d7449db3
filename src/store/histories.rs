//! Stretches of the store's history, so that a copy of it is told from the store itself: a change has a number, and the stretch to
//! which it belongs has a token that is drawn by lot.

use super::{Read, StoreError, Write, changes};
use crate::domain::clock::Entropy;

/// Begins a new stretch after the last change. One that has no changes is forgotten.
pub(super) fn begin(db: &mut Write<'_>, entropy: &dyn Entropy) -> Result<(), StoreError> {
    let mut token = [0u8; 16];
    entropy.fill(&mut token);
    let last = changes::last(db)?;
    db.execute("DELETE FROM histories WHERE first > ?1", &[last.into()])?;
    let first = if db.number("SELECT COUNT(*) FROM histories", &[])? == 0 { 0 } else { last + 1 };
    db.execute("INSERT INTO histories (first, token) VALUES (?1, ?2)", &[first.into(), hex::encode(token).into()])?;
    Ok(())
}

/// The token of the stretch to which the change of this number belongs; empty when there was no such change.
pub fn at(db: &Read<'_>, change: i64) -> Result<String, StoreError> {
    let sql = "SELECT token FROM histories WHERE first <= ?1 AND ?1 <= (SELECT value FROM counters WHERE name = 'change') \
               ORDER BY first DESC LIMIT 1";
    Ok(db.column(sql, &[change.into()])?.pop().unwrap_or_default())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::at;
    use crate::domain::kind::Kind;
    use crate::store::{Store, changes};

    #[test]
    fn a_copy_goes_on_under_another_token() {
        let (folder, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let store = Store::open(folder.path()).unwrap();
        let write = |store: &Store| store.write(|db| changes::record(db, Kind::News, 1i64)).unwrap();
        let token = |store: &Store, change: i64| store.read(|db| at(db, change)).unwrap();
        assert_eq!((write(&store), write(&store)), (1, 2));
        let first = token(&store, 2);
        assert!(first.len() == 32 && token(&store, 0) == first && token(&store, 3).is_empty());
        store.close();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
        let (store, copy) = (Store::open(folder.path()).unwrap(), Store::open(copy.path()).unwrap());
        assert_eq!((write(&store), write(&copy)), (3, 3));
        assert_eq!((token(&store, 2), token(&copy, 2)), (first.clone(), first.clone()));
        assert!(token(&store, 3) != token(&copy, 3) && token(&store, 3) != first);
        store.close();
        // Whoever only looks begins a stretch without changes, which leaves nothing.
        for _ in 0..3 {
            Store::open(folder.path()).unwrap().close();
        }
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.read(|db| db.number("SELECT COUNT(*) FROM histories", &[])).unwrap(), 3);
        store.close();
    }
}
