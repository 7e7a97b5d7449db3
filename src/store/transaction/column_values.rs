//! Values by the names of their columns, from which an `INSERT` or an `UPDATE` is built: nobody
//! counts placeholders.

use super::sql::Sql;
use crate::engine::Value;

/// The values that a statement writes, each beside the name of its column.
#[derive(Debug, Default, Clone)]
pub struct ColumnValues(Vec<(&'static str, Value)>);

impl ColumnValues {
    /// Starts without a column.
    pub fn new() -> ColumnValues {
        ColumnValues::default()
    }

    /// Adds a column.
    #[must_use]
    pub fn set(mut self, column: &'static str, value: impl Into<Value>) -> ColumnValues {
        self.0.push((column, value.into()));
        self
    }

    /// Adds the column `id`, unless the id is 0: then the engine chooses the next free one.
    #[must_use]
    pub fn set_id(self, id: impl Into<i64>) -> ColumnValues {
        match id.into() {
            0 => self,
            id => self.set("id", id),
        }
    }

    /// Returns the value of the column `id`, if it is set.
    pub fn id(&self) -> Option<i64> {
        self.0.iter().find_map(|column| match column {
            ("id", Value::Int(id)) => Some(*id),
            _ => None,
        })
    }

    /// Returns an `INSERT INTO` with one row.
    pub fn insert_into(self, table: &str) -> Sql {
        let mut sql = Sql::new("INSERT INTO ");
        sql.push(table).push(" (");
        for (index, (column, _)) in self.0.iter().enumerate() {
            sql.push(if index == 0 { "" } else { ", " }).push(column);
        }
        sql.push(") VALUES (");
        for (index, (_, value)) in self.0.into_iter().enumerate() {
            sql.push(if index == 0 { "" } else { ", " }).bind(value);
        }
        sql.push(")");
        sql
    }

    /// Returns an `UPDATE` of all rows; the caller adds the condition.
    pub fn update(self, table: &str) -> Sql {
        let mut sql = Sql::new("UPDATE ");
        sql.push(table).push(" SET ");
        for (index, (column, value)) in self.0.into_iter().enumerate() {
            sql.push(if index == 0 { "" } else { ", " })
                .push(column)
                .push(" = ")
                .bind(value);
        }
        sql
    }
}

#[cfg(test)]
mod tests {
    use super::ColumnValues;

    #[test]
    fn statements_name_each_column_beside_its_value() {
        let columns = ColumnValues::new()
            .set_id(0)
            .set("name", "a")
            .set("position", 2);
        assert_eq!(
            columns.clone().insert_into("roles").text(),
            "INSERT INTO roles (name, position) VALUES (?1, ?2)"
        );
        let mut update = columns.update("roles");
        update.push(" WHERE id = ").bind(3);
        assert_eq!(
            update.text(),
            "UPDATE roles SET name = ?1, position = ?2 WHERE id = ?3"
        );
        assert_eq!(update.values().len(), 3);
        assert_eq!(
            ColumnValues::new().set_id(7).insert_into("roles").text(),
            "INSERT INTO roles (id) VALUES (?1)"
        );
    }
}
