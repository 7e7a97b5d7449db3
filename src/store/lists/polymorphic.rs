//! Tables of records that belong to records of several types: watchers, reactions and values of
//! custom fields.

use crate::{StoreError, Value, Write};

/// The tables, with their columns for type and id.
const TABLES: &[(&str, &str, &str)] = &[
    ("watchers", "watchable_type", "watchable_id"),
    ("reactions", "reactable_type", "reactable_id"),
    ("custom_values", "customized_type", "customized_id"),
];

/// Deletes what belongs to the records of a type, by its Redmine name.
pub fn delete_by_owners(
    db: &mut Write<'_>,
    owner_type: &str,
    ids: &[i64],
) -> Result<(), StoreError> {
    for (table, kind, id) in TABLES {
        let sql = format!("DELETE FROM {table} WHERE {kind} = ?2 AND {id} IN ids(?1)");
        db.execute(&sql, &[Value::Ids(ids.to_vec()), owner_type.into()])?;
    }
    Ok(())
}
