//! The same records in SQLite's FTS5: stemmed, ranked by bm25, with a count.
#![expect(
    clippy::disallowed_methods,
    reason = "the database of the comparison is not the store"
)]

use quarry::domain::index_feed::kind::Kind;
use quarry::store::index_feed::indexed_records;
use quarry::store::{Store, StoreError};
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Number of records that are read at once.
const PAGE: usize = 5_000;

pub struct Fts5Baseline {
    path: PathBuf,
    /// Seconds to build the index, reading the records included.
    pub indexing_seconds: f64,
}

impl Fts5Baseline {
    /// Indexes every record of the store.
    pub fn build(store: &Store, folder: &Path) -> Fts5Baseline {
        let path = folder.join("fulltext.sqlite3");
        let start = Instant::now();
        let database = Connection::open(&path).expect("a database");
        let create = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; \
                      CREATE VIRTUAL TABLE records USING fts5 (title, text, content = '', tokenize = 'porter unicode61'); BEGIN";
        database.execute_batch(create).expect("SQLite has FTS5");
        let mut row = 0_i64;
        for kind in Kind::ALL {
            let mut after = 0;
            loop {
                let page = store
                    .read::<_, StoreError>(|db| indexed_records::load_page(db, kind, after, PAGE))
                    .expect("the store can be read");
                let Some(last) = page.last() else { break };
                after = last.id;
                for source in &page {
                    let title = source.fields.first().map_or("", |(_, text)| text.as_str());
                    let text: Vec<&str> = source
                        .fields
                        .iter()
                        .skip(1)
                        .map(|(_, text)| text.as_str())
                        .collect();
                    row += 1;
                    let mut insert = database
                        .prepare_cached(
                            "INSERT INTO records (rowid, title, text) VALUES (?1, ?2, ?3)",
                        )
                        .expect("SQL");
                    insert
                        .execute(params![row, title, text.join("\n")])
                        .expect("the row fits");
                }
            }
        }
        database
            .execute_batch("COMMIT; INSERT INTO records (records) VALUES ('optimize')")
            .expect("the rows are kept");
        Fts5Baseline {
            path,
            indexing_seconds: start.elapsed().as_secs_f64(),
        }
    }

    pub fn bytes(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |file| file.len())
    }

    /// Opens a read-only connection.
    pub fn connect(&self) -> Fts5Connection {
        let database = Connection::open(&self.path).expect("the database opens");
        database
            .execute_batch(
                "PRAGMA cache_size = -65536; PRAGMA mmap_size = 4000000000; PRAGMA query_only = 1",
            )
            .expect("the pragmas are valid");
        Fts5Connection(database)
    }
}

pub struct Fts5Connection(Connection);

impl Fts5Connection {
    /// Finds the top_rows 25 records with all words; returns how many there are.
    pub fn search(&mut self, query: &str) -> i64 {
        let words: Vec<String> = query.split(' ').map(|word| format!("\"{word}\"")).collect();
        let words = words.join(" ");
        let mut top_rows = self
            .0
            .prepare_cached(
                "SELECT rowid FROM records WHERE records MATCH ?1 ORDER BY rank LIMIT 25",
            )
            .expect("SQL");
        let rows = top_rows
            .query_map([&words], |row| row.get::<_, i64>(0))
            .expect("an answer");
        assert!(rows.count() > 0, "{query}");
        let mut count = self
            .0
            .prepare_cached("SELECT COUNT(*) FROM records WHERE records MATCH ?1")
            .expect("SQL");
        count
            .query_row([&words], |row| row.get(0))
            .expect("a number")
    }
}
