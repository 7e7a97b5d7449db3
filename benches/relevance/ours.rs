//! The product's own path: from the text of a question to its hits.

use crate::sets::{Document, Failure, Found, PARAGRAPH, PASTE, Query, Set};
use jiff::Timestamp;
use quarry::domain::ids::ProjectId;
use quarry::domain::index_feed::indexed_record::IndexedRecord;
use quarry::domain::index_feed::kind::Kind;
use quarry::search::{
    Index, IndexConfig, MIN_WITH_ALL_WORDS, Order, ParsedQuery, SearchRequest, Visibility,
    insert_partial_results,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Which hits a person sees first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The results alone.
    Results,
    /// The results, or those of the best alternative where there are none.
    BestAlternative,
    /// As on the search page: the results, with the best that lack a word among them where there are
    /// at least three, followed by those of the best alternative where there are fewer than ten.
    Page,
}

/// How a query is run.
#[derive(Clone, Copy)]
pub struct Variant {
    pub name: &'static str,
    /// Which form of it.
    pub form: &'static str,
    pub all_words: bool,
    pub shown: Shown,
    /// Whether the last word is still being typed.
    pub typing: bool,
    /// Whether newer documents come before older ones, as of the moment of the query.
    pub recent: bool,
}

const fn any_word(name: &'static str, form: &'static str) -> Variant {
    Variant {
        name,
        form,
        all_words: false,
        shown: Shown::Results,
        typing: false,
        recent: false,
    }
}

const fn all_words(name: &'static str, form: &'static str) -> Variant {
    Variant {
        all_words: true,
        ..any_word(name, form)
    }
}

const fn alternatives(name: &'static str, form: &'static str) -> Variant {
    Variant {
        shown: Shown::BestAlternative,
        ..all_words(name, form)
    }
}

const fn page(name: &'static str, form: &'static str) -> Variant {
    Variant {
        shown: Shown::Page,
        ..all_words(name, form)
    }
}

impl Variant {
    pub const ALL: [Variant; 16] = [
        any_word("any word", "text"),
        all_words("all words", "text"),
        alternatives("all words, alternatives", "text"),
        page("all words, page", "text"),
        any_word("short", "short"),
        all_words("short, all words", "short"),
        alternatives("short, alternatives", "short"),
        page("short, page", "short"),
        any_word("typo", "typo"),
        alternatives("typo, alternatives", "typo"),
        page("typo, page", "typo"),
        Variant {
            typing: true,
            ..any_word("prefix", "prefix")
        },
        any_word("paragraph", PARAGRAPH),
        any_word("pasted document", PASTE),
        Variant {
            recent: true,
            ..any_word("any word, recency", "text")
        },
        Variant {
            recent: true,
            ..any_word("short, recency", "short")
        },
    ];
}

/// Returns the index configuration of the files in this folder.
pub fn mapping(folder: &Path) -> Result<IndexConfig, Failure> {
    let names = [
        "index",
        "issue",
        "news",
        "document",
        "changeset",
        "wiki_page",
        "message",
        "project",
    ]
    .map(|name| format!("{name}.toml"));
    let texts = names
        .iter()
        .map(|name| std::fs::read_to_string(folder.join(name)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut place = 0..;
    let files = names.each_ref().map(|name| {
        (
            name.as_str(),
            place
                .next()
                .and_then(|n: usize| texts.get(n))
                .map_or("", String::as_str),
        )
    });
    Ok(IndexConfig::parse(files)?)
}

/// An index of the documents, in memory.
pub fn index(set: &Set, mapping: &Arc<IndexConfig>) -> Result<Index, Failure> {
    let index = Index::in_memory(Arc::clone(mapping))?;
    index.add_all(
        set.documents
            .iter()
            .zip(1..)
            .map(|(document, id)| source(document, id)),
    )?;
    Ok(index)
}

/// Returns the first hundred hits of a query: what a person sees first.
pub fn search(index: &Index, query: &Query, variant: Variant) -> Result<Found, Failure> {
    let start = Instant::now();
    let bounds = &index.config().bounds;
    let mut parsed = match ParsedQuery::parse(&query.text, bounds) {
        Ok(parsed) if !variant.all_words || parsed.check_all_words(bounds).is_ok() => parsed,
        // A query that is rejected finds nothing.
        _ => {
            return Ok(Found {
                documents: Vec::new(),
                is_dead_end: true,
                time: start.elapsed(),
            });
        }
    };
    if variant.typing {
        parsed = parsed.with_last_as_prefix(bounds);
    }
    let now = query
        .created
        .filter(|_| variant.recent)
        .unwrap_or(Timestamp::MAX);
    let run = |parsed: &ParsedQuery, all_words: bool| {
        let visibility = Visibility::everything();
        let request = SearchRequest {
            all_words,
            order: Order::Relevance,
            with_alternatives: variant.shown != Shown::Results,
            ..SearchRequest::new(parsed, &visibility, now, 100)
        };
        index.search(&request)
    };
    let response = run(&parsed, variant.all_words)?;
    let time = start.elapsed();
    let is_dead_end = response.total == 0 && response.alternatives.is_empty();
    let mut documents: Vec<usize> = response
        .hits
        .iter()
        .map(|hit| hit.id as usize - 1)
        .collect();
    if variant.shown == Shown::Page
        && response.total >= MIN_WITH_ALL_WORDS
        && response.did_you_mean.is_none()
    {
        let best = run(&parsed, false)?.hits.into_iter().take(10);
        let best = best.map(|hit| hit.id as usize - 1).collect();
        insert_partial_results(&mut documents, best, |one, other| one == other, |_| true);
    }
    let few = match variant.shown {
        Shown::Results => 0,
        Shown::BestAlternative => 1,
        Shown::Page => 10,
    };
    if response.total < few
        && let Some(best) = response.best_alternative()
    {
        let more = run(&ParsedQuery::parse(&best.text, bounds)?, best.all_words)?;
        let more = more
            .hits
            .iter()
            .map(|hit| hit.id as usize - 1)
            .filter(|document| !documents.contains(document));
        documents.extend(more.collect::<Vec<_>>());
    }
    Ok(Found {
        documents,
        is_dead_end,
        time,
    })
}

fn source(document: &Document, id: i64) -> IndexedRecord {
    let created_on = Timestamp::from_second(document.created).unwrap_or(Timestamp::UNIX_EPOCH);
    let fields = vec![
        ("subject", document.title.clone()),
        ("description", document.text.clone()),
        ("notes", document.notes.clone()),
    ];
    IndexedRecord {
        kind: Kind::Issue,
        id,
        change: id,
        project: ProjectId(1),
        created_on,
        updated_on: created_on,
        fields,
        ..IndexedRecord::default()
    }
}
