//! Blobs in the database, in pieces (rows) of 256 KiB, so that neither a node nor the server holds
//! a large one in memory. They are written and deleted in the transactions of the references.

use crate::engine::{Connection, Value};
use crate::{Read, StoreError, Write};
use std::io::{self, Read as _};

/// Size in bytes of a piece; the last one may be shorter.
pub const PIECE_SIZE: usize = 256 * 1024;

/// The statement that inserts a piece.
pub const INSERT: &str = "INSERT INTO blobs (sha256, n, bytes) VALUES (?1, ?2, ?3)";
/// The statement that reads a piece.
pub const LOAD: &str = "SELECT bytes FROM blobs WHERE sha256 = ?1 AND n = ?2";

/// Whether the blob exists.
pub fn exists(db: &Read<'_>, sha256: &str) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM blobs WHERE sha256 = ?1 AND n = 0";
    Ok(db.query_i64(sql, &[sha256.into()])? > 0)
}

/// Whether there is any blob.
pub fn has_any(connection: &Connection) -> Result<bool, StoreError> {
    let mut has_any = false;
    connection.for_each_row("SELECT n FROM blobs LIMIT 1", &[], &mut |_| {
        has_any = true;
        Ok(())
    })?;
    Ok(has_any)
}

/// Returns the size of a blob in bytes, if it exists.
pub fn length(db: &Read<'_>, sha256: &str) -> Result<Option<u64>, StoreError> {
    let sql = "SELECT n, octet_length(bytes) FROM blobs WHERE sha256 = ?1 ORDER BY n DESC LIMIT 1";
    let last = db.first(sql, &[sha256.into()], |row| {
        Ok((row.next::<i64>()?, row.next::<i64>()?))
    })?;
    let Some((n, size)) = last else {
        return Ok(None);
    };
    let length = n.saturating_mul(PIECE_SIZE as i64).saturating_add(size);
    Ok(Some(u64::try_from(length).unwrap_or(0)))
}

/// Returns a piece, if it exists.
pub fn load(db: &Read<'_>, sha256: &str, n: u64) -> Result<Option<Vec<u8>>, StoreError> {
    db.first(LOAD, &key(sha256, n), |row| row.next())
}

/// Inserts a blob piece by piece, unless it exists. Returns an error of `source` as `Ok(Err(…))`.
pub fn insert(
    db: &mut Write<'_>,
    sha256: &str,
    source: &mut impl io::Read,
) -> Result<io::Result<()>, StoreError> {
    if exists(db, sha256)? {
        return Ok(Ok(()));
    }
    for_each(source, |n, piece| {
        let [sha256, n] = key(sha256, n);
        db.execute(INSERT, &[sha256, n, Value::Bytes(piece)])
            .map(drop)
    })
}

/// Calls `visit` with the index and the bytes of each piece of `source`. Returns an error of
/// `source` as `Ok(Err(…))`.
pub fn for_each<E>(
    source: &mut impl io::Read,
    mut visit: impl FnMut(u64, Vec<u8>) -> Result<(), E>,
) -> Result<io::Result<()>, E> {
    for n in 0.. {
        let mut piece = Vec::new();
        let limit = PIECE_SIZE as u64;
        if let Err(error) = source.by_ref().take(limit).read_to_end(&mut piece) {
            return Ok(Err(error));
        }
        let is_last = piece.len() < PIECE_SIZE;
        // An empty blob has one empty piece.
        if n == 0 || !piece.is_empty() {
            visit(n, piece)?;
        }
        if is_last {
            break;
        }
    }
    Ok(Ok(()))
}

/// Deletes a blob. Returns whether it existed.
pub fn delete(db: &mut Write<'_>, sha256: &str) -> Result<bool, StoreError> {
    Ok(db.execute("DELETE FROM blobs WHERE sha256 = ?1", &[sha256.into()])? > 0)
}

/// Returns the digests of the blobs that no attachment references.
pub fn list_unused(db: &Read<'_>) -> Result<Vec<String>, StoreError> {
    db.column(
        "SELECT b.sha256 FROM blobs b WHERE b.n = 0 AND NOT EXISTS (SELECT 1 FROM attachments a WHERE a.content_sha256 = b.sha256)",
        &[],
    )
}

/// Returns the key of a piece.
pub fn key(sha256: &str, n: u64) -> [Value; 2] {
    [sha256.into(), i64::try_from(n).unwrap_or(i64::MAX).into()]
}
