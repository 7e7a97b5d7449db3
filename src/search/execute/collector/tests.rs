use super::Collected;
use crate::index::Index;
use crate::index::tests::issue;
use crate::request::SearchRequest;
use crate::schema::access_class::record_key;
use crate::{Facet, IndexConfig, Order, ParsedQuery, Visibility};
use jiff::Timestamp;
use proptest::prelude::*;
use quarry_domain::ids::{ProjectId, UserId};
use quarry_domain::index_feed::indexed_record::IndexedRecord;
use quarry_domain::index_feed::kind::Kind;
use std::sync::Arc;

const VOCABULARY: [&str; 5] = ["pump", "motor", "valve", "steam", "wheel"];

/// The words of a title and of a text.
type Texts = (Vec<usize>, Vec<usize>);

fn join_words(words: &[usize]) -> String {
    let words: Vec<&str> = words.iter().map(|word| VOCABULARY[*word]).collect();
    words.join(" ")
}

fn source(id: i64, kind: usize, (title, text): &Texts) -> IndexedRecord {
    let instant = Timestamp::from_second(1_700_000_000 + id % 3 * 86_400).unwrap();
    IndexedRecord {
        kind: Kind::ALL[kind],
        project: ProjectId(1 + id % 2),
        author: Some(UserId(1 + id % 4)),
        created_on: instant,
        updated_on: instant,
        fields: vec![
            (
                if kind == 0 { "subject" } else { "title" },
                join_words(title),
            ),
            ("description", join_words(text)),
        ],
        ..issue(id, "", "")
    }
}

fn records() -> impl Strategy<Value = Vec<(usize, Texts)>> {
    proptest::collection::vec((0..3_usize, (words(3), words(8))), 1..80)
}

fn words(max: usize) -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0..VOCABULARY.len(), 1..max)
}

/// Whether a title or a text has the word.
fn contains((title, text): &Texts, word: usize) -> bool {
    title.contains(&word) || text.contains(&word)
}

/// Runs a request, with everything that it counts.
fn collect(index: &Index, request: &SearchRequest<'_>) -> Collected {
    let snapshot = index.snapshot();
    let statistics = index.statistics(request, &snapshot);
    let search = index.compile(request, request.query, &statistics).unwrap();
    search.collect().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..proptest::test_runner::Config::default() })]
    #[test]
    fn counts_are_exact_and_pages_are_slices_of_all_hits(
        records in records(),
        words in words(4),
        all_words in any::<bool>(),
        excluded in proptest::option::of(0..VOCABULARY.len()),
        order in prop_oneof![Just(Order::Grouped), Just(Order::Relevance), Just(Order::Date)],
        (offset, limit) in (0..5_usize, 0..12_usize),
    ) {
        let index = Index::in_memory(Arc::new(IndexConfig::embedded().unwrap())).unwrap();
        let sources: Vec<IndexedRecord> = records.iter().zip(1..).map(|((kind, texts), id)| source(id, *kind, texts)).collect();
        // Two segments.
        for part in sources.chunks(sources.len().div_ceil(2)) {
            index.add_all(part.to_vec()).unwrap();
        }
        let min_words = if all_words { words.len() } else { 1 };
        let mut expected: Vec<&IndexedRecord> = Vec::new();
        for (source, (_, texts)) in sources.iter().zip(&records) {
            let found = words.iter().filter(|word| contains(texts, **word)).count();
            if found >= min_words && !excluded.is_some_and(|word| contains(texts, word)) {
                expected.push(source);
            }
        }

        let positive = join_words(&words);
        let text = excluded.map_or(positive.clone(), |excluded| format!("{positive} -{}", VOCABULARY[excluded]));
        let query = ParsedQuery::parse(&text, &index.config().bounds).unwrap();
        let visibility = Visibility::everything();
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        let default = SearchRequest::new(&query, &visibility, now, sources.len());
        let request = SearchRequest { all_words, order, facets: Facet::ALL, ..default };

        let mut all = collect(&index, &request);
        for kind in Kind::ALL {
            let count = expected.iter().filter(|source| source.kind == kind).count();
            prop_assert_eq!(all.counts[usize::from(kind.code())], count as u64);
        }
        let types = all.facets.swap_remove(0).into_counts();
        prop_assert!(types.values().sum::<u64>() == expected.len() as u64);
        let all = all.into_page(0, sources.len());
        let mut keys: Vec<u64> = all.iter().map(|hit| hit.key).collect();
        keys.sort_unstable();
        let mut expected: Vec<u64> = expected.iter().map(|source| record_key(source.kind, source.id)).collect();
        expected.sort_unstable();
        prop_assert_eq!(keys, expected);

        let page = collect(&index, &SearchRequest { offset, limit, ..request }).into_page(offset, limit);
        prop_assert_eq!(page, all.into_iter().skip(offset).take(limit).collect::<Vec<_>>());
    }
}
