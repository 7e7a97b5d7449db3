//! The product's own path: from the text of a query to its hits.

use crate::failure::Failure;
use jiff::Timestamp;
use quarry::domain::ids::ProjectId;
use quarry::domain::index_feed::indexed_record::IndexedRecord;
use quarry::domain::index_feed::kind::Kind;
use quarry::search::{
    Index, IndexConfig, MIN_WITH_ALL_WORDS, Order, ParsedQuery, Qualifier, SearchRequest,
    SearchResponse, TokenKind, Visibility, insert_partial_results,
};
use quarry_evaluation::document::{Document, PARAGRAPH, PASTE};
use quarry_evaluation::figures::{Found, HITS};
use quarry_evaluation::set::{Query, Set, TEXT};
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
        any_word("any word", TEXT),
        all_words("all words", TEXT),
        alternatives("all words, alternatives", TEXT),
        page("all words, page", TEXT),
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
            ..any_word("any word, recency", TEXT)
        },
        Variant {
            recent: true,
            ..any_word("short, recency", "short")
        },
    ];
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

/// Whether a query has a qualifier that only a service can resolve.
fn has_qualifiers(query: &ParsedQuery) -> bool {
    query.tokens.iter().any(|token| {
        matches!(&token.kind, TokenKind::Qualifier(qualifier, _) if *qualifier != Qualifier::In)
    })
}

/// Returns the first hundred hits of a query: what a person sees first.
pub fn search(index: &Index, query: &Query, variant: Variant) -> Result<Found, Failure> {
    let start = Instant::now();
    let bounds = &index.config().bounds;
    let parsed = ParsedQuery::parse(&query.text, bounds);
    let parsed = parsed.and_then(|parsed| {
        if variant.all_words {
            parsed.check_all_words(bounds)?;
        }
        Ok(parsed)
    });
    let refused = |problem: String| Found {
        is_dead_end: true,
        refused: Some(problem),
        time: start.elapsed(),
        ..Found::default()
    };
    let mut parsed = match parsed {
        Ok(parsed) if has_qualifiers(&parsed) => {
            return Ok(refused(
                "qualifiers need the records of a service; quote them".to_owned(),
            ));
        }
        Ok(parsed) => parsed,
        Err(error) => return Ok(refused(error.to_string())),
    };
    if variant.typing {
        parsed = parsed.with_last_as_prefix(bounds);
    }
    let now = query
        .created
        .filter(|_| variant.recent)
        .unwrap_or(Timestamp::MAX);
    let run = |parsed: &ParsedQuery, all_words: bool| {
        // Responses are cached by visibility, and another one is never equal.
        let visibility = Visibility::everything();
        let request = SearchRequest {
            all_words,
            order: Order::Relevance,
            with_alternatives: variant.shown != Shown::Results,
            ..SearchRequest::new(parsed, &visibility, now, HITS)
        };
        index.search(&request)
    };
    let response = run(&parsed, variant.all_words)?;
    let is_dead_end = response.total == 0 && response.alternatives.is_empty();
    let mut documents = documents_of(&response);
    if variant.shown == Shown::Page
        && response.total >= MIN_WITH_ALL_WORDS
        && response.did_you_mean.is_none()
    {
        let mut best = documents_of(&run(&parsed, false)?);
        best.truncate(10);
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
        let mut more = documents_of(&more);
        more.retain(|document| !documents.contains(document));
        documents.extend(more);
    }
    documents.truncate(HITS);
    Ok(Found {
        documents,
        is_dead_end,
        refused: None,
        time: start.elapsed(),
    })
}

/// Returns the indexes of the documents that a search found.
fn documents_of(response: &SearchResponse) -> Vec<usize> {
    let hits = response.hits.iter();
    hits.map(|hit| hit.id as usize - 1).collect()
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
