//! An open database of a Redmine.

use super::engine::{Cell, Engine, Tables};
use super::error::{SourceError, without_password};
use super::{mysql, postgres, sqlite};

/// An open database of a Redmine.
pub struct Source {
    engine: Box<dyn Engine>,
    tables: Tables,
    /// URL without the password.
    pub name: String,
}

/// Opens the database at this URL. The password, if given, replaces the one in the URL.
pub fn open(url: &str, password: Option<&str>) -> Result<Source, SourceError> {
    let mut engine: Box<dyn Engine> = match url.split_once(':') {
        Some(("sqlite" | "sqlite3", path)) => Box::new(sqlite::open(path)?),
        Some(("postgres" | "postgresql", _)) => Box::new(postgres::open(url, password)?),
        Some(("mysql" | "mysql2" | "mariadb", rest)) => {
            Box::new(mysql::open(&format!("mysql:{rest}"), password)?)
        }
        _ => return Err(SourceError::invalid_url(url)),
    };
    let tables = engine.tables()?;
    Ok(Source {
        engine,
        tables,
        name: without_password(url),
    })
}

impl Source {
    /// Returns the names of all tables.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// Whether the table exists.
    pub fn has_table(&self, table: &str) -> bool {
        self.tables.contains_key(table)
    }

    /// Returns the columns of a table.
    pub fn columns(&self, table: &str) -> Vec<String> {
        self.tables
            .get(table)
            .into_iter()
            .flatten()
            .map(|column| column.name.clone())
            .collect()
    }

    fn is_binary(&self, table: &str, column: &str) -> bool {
        let mut columns = self.tables.get(table).into_iter().flatten();
        columns.any(|existing| existing.name == column && existing.is_binary)
    }

    /// Whether the column exists.
    pub fn has_column(&self, table: &str, column: &str) -> bool {
        self.tables
            .get(table)
            .is_some_and(|columns| columns.iter().any(|existing| existing.name == column))
    }

    /// Returns the number of rows of a table.
    pub fn count(&mut self, table: &str) -> Result<u64, SourceError> {
        self.query_count(&format!("SELECT COUNT(*) FROM {}", self.quoted(table)))
    }

    fn query_count(&mut self, sql: &str) -> Result<u64, SourceError> {
        let rows = self.engine.rows(sql, &[false])?;
        let count = match rows.first().and_then(|row| row.first()) {
            Some(Cell::Int(number)) => u64::try_from(*number).ok(),
            Some(Cell::Text(text)) => text.parse().ok(),
            _ => None,
        };
        count.ok_or_else(|| SourceError::Statement("its rows cannot be counted".to_owned()))
    }

    /// Returns the number of rows where a column is not NULL.
    pub fn count_non_null(&mut self, table: &str, column: &str) -> Result<u64, SourceError> {
        self.query_count(&format!(
            "SELECT COUNT({}) FROM {}",
            self.quoted(column),
            self.quoted(table)
        ))
    }

    /// Returns the rows of a table after `after`, in the order of the column `by`, up to the limit.
    pub fn page(
        &mut self,
        table: &str,
        columns: &[&str],
        by: &str,
        after: Option<i64>,
        limit: Limit,
    ) -> Result<Vec<Vec<Cell>>, SourceError> {
        let names: Vec<String> = columns.iter().map(|name| self.quoted(name)).collect();
        let table_name = self.quoted(table);
        let by_name = self.quoted(by);
        let mut conditions = vec![format!("{by_name} IS NOT NULL")];
        conditions.extend(after.map(|after| format!("{by_name} > {after}")));
        let count = match limit {
            Limit::Rows(count) => format!(" LIMIT {count}"),
            Limit::UpTo(last) => {
                conditions.push(format!("{by_name} <= {last}"));
                String::new()
            }
        };
        let names = names.join(", ");
        let conditions = conditions.join(" AND ");
        let sql = format!(
            "SELECT {names} FROM {table_name} WHERE {conditions} ORDER BY {by_name}{count}"
        );
        let binary: Vec<bool> = columns
            .iter()
            .map(|column| self.is_binary(table, column))
            .collect();
        self.engine.rows(&sql, &binary)
    }

    /// Returns all values of a column.
    pub fn column(&mut self, table: &str, column: &str) -> Result<Vec<Cell>, SourceError> {
        let sql = format!("SELECT {} FROM {}", self.quoted(column), self.quoted(table));
        Ok(self
            .engine
            .rows(&sql, &[false])?
            .into_iter()
            .filter_map(|row| row.into_iter().next())
            .collect())
    }

    fn quoted(&self, name: &str) -> String {
        let quote = self.engine.quote();
        let name = name.replace(quote, &format!("{quote}{quote}"));
        format!("{quote}{name}{quote}")
    }
}

/// Where a page of rows ends.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// After this number of rows.
    Rows(usize),
    /// After the rows with this id.
    UpTo(i64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_unsupported_engines_and_missing_files_are_rejected() {
        assert!(matches!(
            open("oracle://x", None),
            Err(SourceError::InvalidUrl(_))
        ));
        assert!(matches!(
            open("sqlite:/nowhere/x.db", None),
            Err(SourceError::NoFile(_))
        ));
    }
}
