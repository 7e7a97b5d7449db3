//! The fixture, read without code of the service and loaded into other databases.
#![allow(
    clippy::disallowed_methods,
    reason = "a test looks into files as anybody may"
)]

use quarry_world::redmine_import::FIXTURE;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::path::Path;

/// Opens a Redmine database.
pub fn source(path: &Path) -> Connection {
    Connection::open(path).unwrap()
}

/// Copies the fixture and returns the URL of the copy for an import, and a connection to change it.
pub fn copy(folder: &Path) -> (String, Connection) {
    let path = folder.join("redmine.sqlite3");
    std::fs::write(&path, std::fs::read(FIXTURE).unwrap()).unwrap();
    let connection = source(&path);
    (format!("sqlite:{}", path.display()), connection)
}

/// Opens the store.
pub fn ours(folder: &Path) -> Connection {
    Connection::open(folder.join("quarry.sqlite3")).unwrap()
}

/// Returns the number of rows of a table.
pub fn counts(connection: &Connection, table: &str, condition: &str) -> i64 {
    connection
        .query_row(
            &format!("SELECT COUNT(*) FROM \"{table}\" {condition}"),
            [],
            |row| row.get(0),
        )
        .unwrap()
}

/// SQL dialect of a database.
pub struct Dialect {
    pub quote: char,
    pub switch: &'static str,
    pub instant: &'static str,
    pub text: &'static str,
    pub bytes: &'static str,
    pub yes_no: [&'static str; 2],
    pub backslashes: bool,
}

/// PostgreSQL.
pub const POSTGRES: Dialect = Dialect {
    quote: '"',
    switch: "boolean",
    instant: "timestamp",
    text: "text",
    bytes: "bytea",
    yes_no: ["false", "true"],
    backslashes: false,
};

/// MySQL and MariaDB.
pub const MYSQL: Dialect = Dialect {
    quote: '`',
    switch: "tinyint(1)",
    instant: "datetime(6)",
    text: "longtext",
    bytes: "longblob",
    yes_no: ["0", "1"],
    backslashes: true,
};

/// Returns the statements that create and fill the tables of the fixture.
pub fn statements(dialect: &Dialect) -> Vec<String> {
    let connection = source(Path::new(FIXTURE));
    let mut tables = connection
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        .unwrap();
    let tables: Vec<String> = tables
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    tables
        .iter()
        .flat_map(|table| table_statements(&connection, dialect, table))
        .collect()
}

fn type_in_dialect(dialect: &Dialect, kind: &str) -> &'static str {
    match kind.split('(').next().unwrap() {
        "integer" => "bigint",
        "boolean" => dialect.switch,
        "float" => "double precision",
        "date" => "date",
        "datetime" => dialect.instant,
        "blob" => dialect.bytes,
        _ => dialect.text,
    }
}

fn table_statements(connection: &Connection, dialect: &Dialect, table: &str) -> Vec<String> {
    let mut columns = connection
        .prepare(&format!(
            "SELECT name, lower(type) FROM pragma_table_info('{table}')"
        ))
        .unwrap();
    let columns: Vec<(String, String)> = columns
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let q = dialect.quote;
    let described: Vec<String> = columns
        .iter()
        .map(|(name, column_type)| {
            format!("{q}{name}{q} {}", type_in_dialect(dialect, column_type))
        })
        .collect();
    let mut statements = vec![format!(
        "CREATE TABLE {q}{table}{q} ({})",
        described.join(", ")
    )];
    let mut rows = connection
        .prepare(&format!("SELECT * FROM \"{table}\""))
        .unwrap();
    let mut rows = rows.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let values: Vec<String> = columns
            .iter()
            .enumerate()
            .map(|(place, (_, column_type))| {
                literal(dialect, column_type, row.get_ref(place).unwrap())
            })
            .collect();
        statements.push(format!(
            "INSERT INTO {q}{table}{q} VALUES ({})",
            values.join(", ")
        ));
    }
    statements
}

fn literal(dialect: &Dialect, kind: &str, value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) if kind == "boolean" => {
            dialect.yes_no[usize::from(number != 0)].to_owned()
        }
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) if kind == "blob" => {
            match dialect.backslashes {
                true => format!("x'{}'", hex::encode(bytes)),
                false => format!("'\\x{}'", hex::encode(bytes)),
            }
        }
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            let text = String::from_utf8(bytes.to_vec())
                .unwrap()
                .replace('\'', "''");
            let text = if dialect.backslashes {
                text.replace('\\', "\\\\")
            } else {
                text
            };
            format!("'{text}'")
        }
    }
}
