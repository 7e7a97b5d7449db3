//! The records of a service without the service, whatever the engine: for states that no request
//! can create, and for what no request shows.

use crate::cluster::Cluster;
use postgres::types::Type;
use postgres::{Client, NoTls};
use quarry::store::Store;
use std::cell::RefCell;
use std::sync::mpsc::Sender;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

/// Makes every id that the server chooses greater than those that a test has given to rows, as
/// SQLite does by itself.
const CONTINUE_IDS: &str = "DO $$ DECLARE t TEXT; last BIGINT; BEGIN
    FOR t IN SELECT table_name FROM information_schema.columns
             WHERE table_schema = current_schema() AND column_name = 'id' AND is_identity = 'YES' LOOP
        EXECUTE format('SELECT MAX(id) FROM %I', t) INTO last;
        PERFORM continue_ids_after(t, last);
    END LOOP; END $$";

/// A connection of the test's own. Statements have no parameters, see [`quoted`].
pub enum Database {
    File(rusqlite::Connection),
    Server(RefCell<Client>),
}

/// A row of a query.
pub struct Row(Vec<Column>);

/// The value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

#[allow(
    clippy::disallowed_methods,
    reason = "the statements are the tests' own"
)]
impl Database {
    /// Connects to the records of the store.
    pub fn open(store: &Store) -> Database {
        match store.file() {
            Some(file) => {
                let connection = rusqlite::Connection::open(file).unwrap();
                connection.busy_timeout(Duration::from_secs(10)).unwrap();
                Database::File(connection)
            }
            None => {
                let client = Client::connect(&store.location_name(), NoTls).unwrap();
                Database::Server(RefCell::new(client))
            }
        }
    }

    /// Runs statements.
    #[track_caller]
    pub fn run(&self, statements: &str) {
        match self {
            Database::File(connection) => connection.execute_batch(statements).unwrap(),
            Database::Server(client) => {
                let mut client = client.borrow_mut();
                if let Err(error) = client.batch_execute(statements) {
                    panic!("{error:?} in {statements}");
                }
                if statements.contains("INSERT INTO") {
                    client.batch_execute(CONTINUE_IDS).unwrap();
                }
            }
        }
    }

    /// Returns the rows of a query.
    #[track_caller]
    pub fn rows(&self, sql: &str) -> Vec<Row> {
        match self {
            Database::File(connection) => {
                let mut statement = connection.prepare_cached(sql).unwrap();
                let width = statement.column_count();
                let rows = statement.query_map([], |row| {
                    (0..width)
                        .map(|index| Ok(Column::from(row.get_ref(index)?)))
                        .collect::<Result<_, _>>()
                        .map(Row)
                });
                rows.unwrap().map(Result::unwrap).collect()
            }
            Database::Server(client) => match client.borrow_mut().query(sql, &[]) {
                Ok(rows) => rows.iter().map(Row::from).collect(),
                Err(error) => panic!("{error:?} in {sql}"),
            },
        }
    }

    /// Returns the first column of the only row.
    #[track_caller]
    pub fn value<T: FromColumn>(&self, sql: &str) -> T {
        let rows = self.rows(sql);
        assert_eq!(rows.len(), 1, "{sql}");
        rows[0].get(0)
    }

    /// Returns the column that every table has besides those of its definition and that tells its
    /// rows apart until they are written.
    pub fn row_id(&self) -> &'static str {
        match self {
            Database::File(_) => "rowid",
            Database::Server(_) => "ctid",
        }
    }

    /// Returns the names of all tables in their order, without those of the engine.
    pub fn tables(&self) -> Vec<String> {
        let sql = match self {
            Database::File(_) => {
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
            }
            Database::Server(_) => {
                "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() \
                 AND tablename NOT IN ('schema_version', 'commits') ORDER BY tablename COLLATE \"C\""
            }
        };
        self.rows(sql).iter().map(|row| row.get(0)).collect()
    }
}

/// Returns a text as a literal of SQL.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl Row {
    /// Returns a column; the first one is 0.
    #[track_caller]
    pub fn get<T: FromColumn>(&self, index: usize) -> T {
        T::from_column(&self.0[index])
    }

    /// Returns all columns.
    pub fn columns(&self) -> &[Column] {
        &self.0
    }
}

impl From<rusqlite::types::ValueRef<'_>> for Column {
    fn from(value: rusqlite::types::ValueRef<'_>) -> Column {
        use rusqlite::types::ValueRef;
        match value {
            ValueRef::Null => Column::Null,
            ValueRef::Integer(number) => Column::Integer(number),
            ValueRef::Real(number) => Column::Real(number),
            ValueRef::Text(text) => Column::Text(String::from_utf8(text.to_vec()).unwrap()),
            ValueRef::Blob(bytes) => Column::Bytes(bytes.to_vec()),
        }
    }
}

impl From<&postgres::Row> for Row {
    fn from(row: &postgres::Row) -> Row {
        let column = |index: usize| match *row.columns()[index].type_() {
            Type::INT8 => row.get::<_, Option<i64>>(index).map(Column::Integer),
            Type::INT4 => row
                .get::<_, Option<i32>>(index)
                .map(|number| Column::Integer(number.into())),
            Type::BOOL => row
                .get::<_, Option<bool>>(index)
                .map(|is_true| Column::Integer(is_true.into())),
            Type::FLOAT8 => row.get::<_, Option<f64>>(index).map(Column::Real),
            Type::BYTEA => row.get::<_, Option<Vec<u8>>>(index).map(Column::Bytes),
            _ => row.get::<_, Option<String>>(index).map(Column::Text),
        };
        Row((0..row.len())
            .map(|index| column(index).unwrap_or(Column::Null))
            .collect())
    }
}

/// A type that a column can have.
pub trait FromColumn {
    fn from_column(column: &Column) -> Self;
}

impl FromColumn for i64 {
    #[track_caller]
    fn from_column(column: &Column) -> i64 {
        match column {
            Column::Integer(number) => *number,
            other => panic!("{other:?} instead of an integer"),
        }
    }
}

impl FromColumn for bool {
    #[track_caller]
    fn from_column(column: &Column) -> bool {
        i64::from_column(column) != 0
    }
}

impl FromColumn for String {
    #[track_caller]
    fn from_column(column: &Column) -> String {
        match column {
            Column::Text(text) => text.clone(),
            other => panic!("{other:?} instead of a text"),
        }
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    #[track_caller]
    fn from_column(column: &Column) -> Option<T> {
        match column {
            Column::Null => None,
            column => Some(T::from_column(column)),
        }
    }
}

/// A database on the shared cluster, for one world. It is dropped with the value, in the
/// background.
pub struct OwnDatabase {
    name: String,
}

impl OwnDatabase {
    /// Creates a copy of another database, or an empty one.
    pub fn create(template: Option<&str>) -> OwnDatabase {
        OwnDatabase {
            name: cluster().create_database(template),
        }
    }

    /// Returns the name of the database.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the URL of the database.
    pub fn url(&self) -> String {
        cluster().url(&self.name)
    }
}

impl Drop for OwnDatabase {
    fn drop(&mut self) {
        // The cluster ends with the process, so databases that are left do no harm.
        let _ = DROPPED.lock().unwrap().send(std::mem::take(&mut self.name));
    }
}

/// Drops the databases that are sent to it.
static DROPPED: LazyLock<Mutex<Sender<String>>> = LazyLock::new(|| {
    let (sender, names) = std::sync::mpsc::channel::<String>();
    std::thread::spawn(move || {
        for name in names {
            cluster().drop_database(&name);
        }
    });
    Mutex::new(sender)
});

fn cluster() -> &'static Cluster {
    Cluster::shared().expect("a run with QUARRY_TEST_STORE=postgres needs PostgreSQL")
}
