//! The same records in SQLite's own full-text search: stemmed, ranked by bm25, with a count.
#![expect(clippy::disallowed_methods, reason = "the database of the comparison is no store of ours")]

use quarry::domain::kind::Kind;
use quarry::store::{Store, StoreError, searchable};
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How many records are read at once.
const PAGE: usize = 5_000;

pub struct FullText {
    path: PathBuf,
    /// Seconds that it took, with reading the records.
    pub made_in: f64,
}

impl FullText {
    /// Reads every record of the store.
    pub fn of(store: &Store, folder: &Path) -> FullText {
        let (path, begun) = (folder.join("fulltext.sqlite3"), Instant::now());
        let database = Connection::open(&path).expect("a database");
        let create = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; \
                      CREATE VIRTUAL TABLE found USING fts5 (title, text, content = '', tokenize = 'porter unicode61'); BEGIN";
        database.execute_batch(create).expect("SQLite has its full-text search");
        let mut row = 0_i64;
        for kind in Kind::ALL {
            let mut after = 0;
            loop {
                let page = store.read::<_, StoreError>(|db| searchable::page(db, kind, after, PAGE)).expect("the store answers");
                let Some(last) = page.last() else { break };
                after = last.id;
                for source in &page {
                    let title = source.fields.first().map_or("", |(_, text)| text.as_str());
                    let text: Vec<&str> = source.fields.iter().skip(1).map(|(_, text)| text.as_str()).collect();
                    row += 1;
                    let mut insert = database.prepare_cached("INSERT INTO found (rowid, title, text) VALUES (?1, ?2, ?3)").expect("SQL");
                    insert.execute(params![row, title, text.join("\n")]).expect("the row fits");
                }
            }
        }
        database.execute_batch("COMMIT; INSERT INTO found (found) VALUES ('optimize')").expect("the rows are kept");
        FullText { path, made_in: begun.elapsed().as_secs_f64() }
    }

    pub fn bytes(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |file| file.len())
    }

    /// A connection of one's own.
    pub fn connect(&self) -> Asker {
        let database = Connection::open(&self.path).expect("the database opens");
        database
            .execute_batch("PRAGMA cache_size = -65536; PRAGMA mmap_size = 4000000000; PRAGMA query_only = 1")
            .expect("it takes settings");
        Asker(database)
    }
}

pub struct Asker(Connection);

impl Asker {
    /// The best 25 with all the words, and how many there are.
    pub fn ask(&mut self, question: &str) -> i64 {
        let words: Vec<String> = question.split(' ').map(|word| format!("\"{word}\"")).collect();
        let words = words.join(" ");
        let mut best = self.0.prepare_cached("SELECT rowid FROM found WHERE found MATCH ?1 ORDER BY rank LIMIT 25").expect("SQL");
        let rows = best.query_map([&words], |row| row.get::<_, i64>(0)).expect("an answer");
        assert!(rows.count() > 0, "{question}");
        let mut count = self.0.prepare_cached("SELECT COUNT(*) FROM found WHERE found MATCH ?1").expect("SQL");
        count.query_row([&words], |row| row.get(0)).expect("a number")
    }
}
