//! The product's own path: from the text of a question to its hits.

use crate::sets::{Document, Failure, Found, Query, Set};
use jiff::Timestamp;
use quarry::domain::ids::ProjectId;
use quarry::domain::kind::Kind;
use quarry::search::{Index, IndexConfig, Order, SearchRequest, Visibility};
use quarry::store::indexed_records::IndexedRecord;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// How a query is run.
#[derive(Clone, Copy)]
pub struct Variant {
    pub name: &'static str,
    /// Which form of it.
    pub form: &'static str,
    pub all_words: bool,
    pub typing: bool,
    /// Whether newer documents come before older ones, as of the moment of the query.
    pub recent: bool,
}

const fn variant(name: &'static str, form: &'static str) -> Variant {
    Variant { name, form, all_words: false, typing: false, recent: false }
}

impl Variant {
    pub const ALL: [Variant; 8] = [
        variant("any word", "text"),
        Variant { all_words: true, ..variant("all words", "text") },
        variant("short", "short"),
        Variant { all_words: true, ..variant("short, all words", "short") },
        variant("typo", "typo"),
        Variant { typing: true, ..variant("prefix", "prefix") },
        Variant { recent: true, ..variant("any word, recency", "text") },
        Variant { recent: true, ..variant("short, recency", "short") },
    ];
}

/// Returns the index configuration of the files in this folder.
pub fn mapping(folder: &Path) -> Result<IndexConfig, Failure> {
    let names = ["index", "issue", "news", "document", "changeset", "wiki_page", "message", "project"].map(|name| format!("{name}.toml"));
    let texts = names.iter().map(|name| std::fs::read_to_string(folder.join(name))).collect::<Result<Vec<_>, _>>()?;
    let mut place = 0..;
    let files = names.each_ref().map(|name| (name.as_str(), place.next().and_then(|n: usize| texts.get(n)).map_or("", String::as_str)));
    Ok(IndexConfig::parse(files)?)
}

/// An index of the documents, in memory.
pub fn index(set: &Set, mapping: &Arc<IndexConfig>) -> Result<Index, Failure> {
    let index = Index::in_memory(Arc::clone(mapping))?;
    index.add_all(set.documents.iter().zip(1..).map(|(document, id)| source(document, id)))?;
    Ok(index)
}

/// The first hundred hits of a question.
pub fn search(index: &Index, query: &Query, variant: Variant) -> Result<Found, Failure> {
    let begun = Instant::now();
    let bounds = &index.config().bounds;
    // A question that is refused finds nothing.
    let Ok(mut words) = quarry::search::ParsedQuery::parse(&query.text, bounds) else {
        return Ok(Found { documents: Vec::new(), time: begun.elapsed() });
    };
    if variant.typing {
        words = words.with_last_as_prefix(bounds);
    }
    let visibility = Visibility::everything();
    let now = query.created.filter(|_| variant.recent).unwrap_or(Timestamp::MAX);
    let plain = SearchRequest::new(&words, &visibility, now, 100);
    let question = SearchRequest { all_words: variant.all_words, order: Order::Relevance, ..plain };
    let answer = index.search(&question)?;
    let documents = answer.hits.iter().map(|hit| hit.id as usize - 1).collect();
    Ok(Found { documents, time: begun.elapsed() })
}

fn source(document: &Document, id: i64) -> IndexedRecord {
    let created_on = Timestamp::from_second(document.created).unwrap_or(Timestamp::UNIX_EPOCH);
    let fields = vec![("subject", document.title.clone()), ("description", document.text.clone()), ("notes", document.notes.clone())];
    IndexedRecord {
        kind: Kind::Issue,
        id,
        change: id,
        project: ProjectId(1),
        private: false,
        status: None,
        tracker: None,
        priority: None,
        version: None,
        category: None,
        author: None,
        assignee: None,
        created_on,
        updated_on: created_on,
        fields,
        restricted: Vec::new(),
        custom: Vec::new(),
    }
}
