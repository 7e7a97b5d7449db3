//! What others would have answered: SQLite's full-text search, tantivy as it comes, and LIKE with
//! the newest first.
#![expect(
    clippy::disallowed_methods,
    reason = "the databases of the comparison are no store of ours"
)]

use crate::failure::Failure;
use quarry_evaluation::figures::{Found, HITS};
use quarry_evaluation::set::Set;
use rusqlite::{Connection, params, params_from_iter};
use std::time::Instant;
use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{FAST, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, Searcher, TantivyDocument};

/// How many words Redmine takes of a query.
const LIKE_WORDS: usize = 5;

/// An engine with the documents of a set.
pub trait OtherIndex {
    /// The first hundred hits; for any of the words if the engine supports that.
    fn search(&self, text: &str) -> Result<Found, Failure>;
}

/// The engines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OtherEngine {
    Tantivy,
    StemmedTantivy,
    FullText,
    Like,
}

impl OtherEngine {
    pub const ALL: [OtherEngine; 4] = [
        OtherEngine::Tantivy,
        OtherEngine::StemmedTantivy,
        OtherEngine::FullText,
        OtherEngine::Like,
    ];

    /// Returns the name in tables and filters.
    pub fn name(self) -> &'static str {
        match self {
            OtherEngine::Tantivy => "tantivy, default",
            OtherEngine::StemmedTantivy => "tantivy, stemmed",
            OtherEngine::FullText => "SQLite FTS5, porter",
            OtherEngine::Like => "LIKE, newest first",
        }
    }

    /// Indexes the documents of a set.
    pub fn index(self, set: &Set) -> Result<Box<dyn OtherIndex>, Failure> {
        Ok(match self {
            OtherEngine::Tantivy => Box::new(Tantivy::new(set, "default")?),
            OtherEngine::StemmedTantivy => Box::new(Tantivy::new(set, "en_stem")?),
            OtherEngine::FullText => Box::new(FullText::new(set)?),
            OtherEngine::Like => Box::new(Like::new(set)?),
        })
    }
}

/// The words of a text, for query languages that give other signs a meaning.
fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

struct Tantivy {
    searcher: Searcher,
    parser: QueryParser,
}

impl Tantivy {
    fn new(set: &Set, tokenizer: &str) -> Result<Tantivy, Failure> {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let options = TextOptions::default().set_indexing_options(indexing);
        let title = schema.add_text_field("title", options.clone());
        let text = schema.add_text_field("text", options);
        let number = schema.add_u64_field("number", FAST);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 100_000_000)?;
        for (document, place) in set.documents.iter().zip(0..) {
            let mut entry = TantivyDocument::default();
            entry.add_text(title, &document.title);
            entry.add_text(text, format!("{}{}", document.text, document.notes));
            entry.add_u64(number, place);
            writer.add_document(entry)?;
        }
        writer.commit()?;
        Ok(Tantivy {
            searcher: index.reader()?.searcher(),
            parser: QueryParser::for_index(&index, vec![title, text]),
        })
    }
}

impl OtherIndex for Tantivy {
    fn search(&self, text: &str) -> Result<Found, Failure> {
        let begun = Instant::now();
        let (query, _) = self.parser.parse_query_lenient(&words(text).join(" "));
        let mut documents = Vec::new();
        for (_, address) in self
            .searcher
            .search(&query, &TopDocs::with_limit(HITS).order_by_score())?
        {
            let numbers = self
                .searcher
                .segment_reader(address.segment_ord)
                .fast_fields()
                .u64("number")?;
            documents.extend(numbers.first(address.doc_id).map(|number| number as usize));
        }
        Ok(Found {
            is_dead_end: documents.is_empty(),
            documents,
            refused: None,
            time: begun.elapsed(),
        })
    }
}

struct FullText(Connection);

impl FullText {
    fn new(set: &Set) -> Result<FullText, Failure> {
        let database = Connection::open_in_memory()?;
        database.execute_batch("CREATE VIRTUAL TABLE found USING fts5 (title, text, tokenize = 'porter unicode61'); BEGIN")?;
        for (document, place) in set.documents.iter().zip(0_i64..) {
            let text = format!("{}{}", document.text, document.notes);
            database
                .prepare_cached("INSERT INTO found (rowid, title, text) VALUES (?1, ?2, ?3)")?
                .execute(params![place, document.title, text])?;
        }
        database.execute_batch("COMMIT")?;
        Ok(FullText(database))
    }
}

impl OtherIndex for FullText {
    fn search(&self, text: &str) -> Result<Found, Failure> {
        let begun = Instant::now();
        let query = words(text)
            .iter()
            .map(|word| format!("\"{word}\""))
            .collect::<Vec<_>>()
            .join(" OR ");
        let mut statement = self.0.prepare_cached(
            "SELECT rowid FROM found WHERE found MATCH ?1 ORDER BY bm25(found) LIMIT ?2",
        )?;
        let rows = statement.query_map(params![query, HITS as i64], |row| row.get::<_, i64>(0))?;
        let documents = rows
            .map(|row| row.map(|id| id as usize))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Found {
            is_dead_end: documents.is_empty(),
            documents,
            refused: None,
            time: begun.elapsed(),
        })
    }
}

/// All of the first five words of at least two letters, anywhere in title or text, the newest
/// first: what Redmine does by default.
struct Like(Connection);

impl Like {
    fn new(set: &Set) -> Result<Like, Failure> {
        let database = Connection::open_in_memory()?;
        database.execute_batch("CREATE TABLE found (id INTEGER PRIMARY KEY, title TEXT, text TEXT, created INTEGER); BEGIN")?;
        for (document, place) in set.documents.iter().zip(0_i64..) {
            let text = format!("{}{}", document.text, document.notes);
            database
                .prepare_cached(
                    "INSERT INTO found (id, title, text, created) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![place, document.title, text, document.created])?;
        }
        database.execute_batch("COMMIT")?;
        Ok(Like(database))
    }
}

impl OtherIndex for Like {
    fn search(&self, text: &str) -> Result<Found, Failure> {
        let begun = Instant::now();
        let mut wanted: Vec<String> = Vec::new();
        for word in text
            .split_whitespace()
            .filter(|word| word.chars().nth(1).is_some())
        {
            let escaped = word
                .replace('\\', "\\\\")
                .replace('%', "\\%")
                .replace('_', "\\_");
            let pattern = format!("%{escaped}%");
            if !wanted.contains(&pattern) && wanted.len() < LIKE_WORDS {
                wanted.push(pattern);
            }
        }
        if wanted.is_empty() {
            return Ok(Found {
                is_dead_end: true,
                time: begun.elapsed(),
                ..Found::default()
            });
        }
        let condition = (1..=wanted.len())
            .map(|n| format!("(title LIKE ?{n} ESCAPE '\\' OR text LIKE ?{n} ESCAPE '\\')"))
            .collect::<Vec<_>>()
            .join(" AND ");
        let sql = format!(
            "SELECT id FROM found WHERE {condition} ORDER BY created DESC, id DESC LIMIT {HITS}"
        );
        let mut statement = self.0.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(wanted), |row| row.get::<_, i64>(0))?;
        let documents = rows
            .map(|row| row.map(|id| id as usize))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Found {
            is_dead_end: documents.is_empty(),
            documents,
            refused: None,
            time: begun.elapsed(),
        })
    }
}
