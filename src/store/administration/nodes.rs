//! The nodes that serve this database.

use crate::engine::{Row, StatementError};
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::administration::node::Node;

const COLUMNS: &str = "id, address, version, joined_on, seen_on, indexed_change, is_importing";

fn from_row(row: &Row<'_>) -> Result<Node, StatementError> {
    Ok(Node {
        id: row.next()?,
        address: row.next()?,
        version: row.next()?,
        joined_on: row.next()?,
        seen_on: row.next()?,
        indexed_change: row.next()?,
        is_importing: row.next()?,
    })
}

/// Returns the nodes, the one that joined first before the others.
pub fn list(db: &Read<'_>) -> Result<Vec<Node>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM nodes ORDER BY joined_on, id");
    db.rows(&sql, &[], from_row)
}

/// Inserts a node, or updates what it reports. It keeps the time at which it joined as long as it is
/// known.
pub fn report(db: &mut Write<'_>, node: &Node) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO nodes ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO UPDATE SET \
         seen_on = excluded.seen_on, indexed_change = excluded.indexed_change, is_importing = excluded.is_importing"
    );
    let values = [
        node.id.as_str().into(),
        node.address.as_str().into(),
        node.version.as_str().into(),
        node.joined_on.into(),
        node.seen_on.into(),
        node.indexed_change.into(),
        i64::from(node.is_importing).into(),
    ];
    db.execute(&sql, &values).map(drop)
}

/// Notes that this node imports. Returns `false` if another one does.
pub fn start_import(db: &mut Write<'_>, id: &str) -> Result<bool, StoreError> {
    if list(db)?
        .iter()
        .any(|node| node.is_importing && node.id != id)
    {
        return Ok(false);
    }
    set_importing(db, id, true)?;
    Ok(true)
}

/// Notes whether this node imports.
pub fn set_importing(db: &mut Write<'_>, id: &str, is_importing: bool) -> Result<(), StoreError> {
    let sql = "UPDATE nodes SET is_importing = ?2 WHERE id = ?1";
    db.execute(sql, &[id.into(), is_importing.into()]).map(drop)
}

/// Deletes a node that has not reported since `seen_on`.
pub fn delete_silent(db: &mut Write<'_>, id: &str, seen_on: Timestamp) -> Result<bool, StoreError> {
    let sql = "DELETE FROM nodes WHERE id = ?1 AND seen_on = ?2";
    Ok(db.execute(sql, &[id.into(), seen_on.into()])? > 0)
}

/// Deletes a node that stops.
pub fn delete(db: &mut Write<'_>, id: &str) -> Result<(), StoreError> {
    db.execute("DELETE FROM nodes WHERE id = ?1", &[id.into()])
        .map(drop)
}
