//! Epochs of the store, to tell a store from a copy of it. Both give the same sequence numbers to
//! different changes; the random token of the epoch of a change differs.

use crate::engine::{Connection, StatementError};
use crate::transaction::changes;
use crate::{Read, StoreError, Write};
use quarry_domain::clock::{Entropy, SystemEntropy};

/// How far the counters jump in another history, which may lack the last changes: a number of a
/// lost change or version of the catalogue is not given again.
const JUMP: i64 = 1_000_000;

/// Starts a new epoch after the last change, and deletes epochs without changes. On a server, only
/// when it has no epoch yet or continues in another history: the other nodes go on in theirs.
pub(crate) fn start(db: &mut Write<'_>) -> Result<(), StoreError> {
    let history = db.history().to_owned();
    let last = changes::last(db)?;
    let last_history: Option<String> = db
        .column(
            "SELECT history FROM epochs ORDER BY first_change DESC LIMIT 1",
            &[],
        )?
        .pop();
    if !history.is_empty() {
        match last_history {
            Some(last) if last == history => return Ok(()),
            // The epoch begins before the jump: the lost changes belong to the old one.
            Some(_) => {
                let sql =
                    "UPDATE counters SET value = value + ?1 WHERE name IN ('change', 'catalogue')";
                db.execute(sql, &[JUMP.into()])?;
            }
            None => {}
        }
    }
    let mut token = [0u8; 16];
    db.entropy().fill(&mut token);
    db.execute("DELETE FROM epochs WHERE first_change > ?1", &[last.into()])?;
    let first = if db.query_i64("SELECT COUNT(*) FROM epochs", &[])? == 0 {
        0
    } else {
        last + 1
    };
    db.execute(
        "INSERT INTO epochs (first_change, token, history) VALUES (?1, ?2, ?3)",
        &[first.into(), hex::encode(token).into(), history.into()],
    )?;
    Ok(())
}

/// Starts a new epoch after the last change of a copy of another store, in the transaction that
/// copies it.
pub(crate) fn start_copy(connection: &Connection) -> Result<(), StatementError> {
    let mut token = [0u8; 16];
    SystemEntropy.fill(&mut token);
    let history = connection.history();
    connection.execute(
        "DELETE FROM epochs WHERE first_change > (SELECT value FROM counters WHERE name = 'change')",
        &[],
    )?;
    connection.execute(
        "INSERT INTO epochs (first_change, token, history) SELECT value + 1, ?1, ?2 FROM counters WHERE name = 'change'",
        &[hex::encode(token).into(), history.into()],
    )?;
    Ok(())
}

/// Returns the token of the epoch of the change; empty when there is no such change.
pub fn token_at(db: &Read<'_>, change: i64) -> Result<String, StoreError> {
    let sql = "SELECT token FROM epochs WHERE first_change <= ?1 AND ?1 <= (SELECT value FROM counters WHERE name = 'change') \
               ORDER BY first_change DESC LIMIT 1";
    Ok(db.column(sql, &[change.into()])?.pop().unwrap_or_default())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::token_at;
    use crate::Store;
    use crate::transaction::changes;
    use quarry_domain::index_feed::kind::Kind;

    #[test]
    fn copy_of_a_store_gets_another_token() {
        let folder = tempfile::tempdir().unwrap();
        let copy = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let write = |store: &Store| {
            store
                .write(|db| changes::record(db, Kind::News, 1i64))
                .unwrap()
        };
        let token = |store: &Store, change: i64| store.read(|db| token_at(db, change)).unwrap();
        assert_eq!((write(&store), write(&store)), (1, 2));
        let first = token(&store, 2);
        assert!(first.len() == 32 && token(&store, 0) == first && token(&store, 3).is_empty());
        store.close();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
        let store = Store::open(folder.path()).unwrap();
        let copy = Store::open(copy.path()).unwrap();
        assert_eq!((write(&store), write(&copy)), (3, 3));
        assert_eq!(
            (token(&store, 2), token(&copy, 2)),
            (first.clone(), first.clone())
        );
        assert!(token(&store, 3) != token(&copy, 3) && token(&store, 3) != first);
        store.close();
        // Opening without a change starts an epoch that the next start deletes.
        for _ in 0..3 {
            Store::open(folder.path()).unwrap().close();
        }
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(
            store
                .read(|db| db.query_i64("SELECT COUNT(*) FROM epochs", &[]))
                .unwrap(),
            3
        );
        store.close();
    }
}
