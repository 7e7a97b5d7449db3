//! Positions of records in lists, such as trackers and statuses: 1, 2, 3, ….

use crate::{StoreError, Write};

/// Stores the order of these records of a table with the columns `id` and `position`.
pub fn update(db: &mut Write<'_>, table: &'static str, order: &[i64]) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {table} SET position = ?2 WHERE id = ?1 AND (position IS NULL OR position <> ?2)"
    );
    for (position, id) in (1i64..).zip(order) {
        db.execute(&sql, &[(*id).into(), position.into()])?;
    }
    db.catalogue_changed()
}
