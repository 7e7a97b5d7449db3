use crate::domain::ids::{ProjectId, UserId};
use crate::domain::kind::Kind;
use crate::search::index::Index;
use crate::search::index::tests::issue;
use crate::search::request::SearchRequest;
use crate::search::schema::access_class::record_key;
use crate::search::{Facet, IndexConfig, Order, ParsedQuery, Visibility};
use crate::store::indexed_records::IndexedRecord;
use jiff::Timestamp;
use proptest::prelude::*;
use std::sync::Arc;

const VOCABULARY: [&str; 5] = ["pump", "motor", "valve", "steam", "wheel"];

/// The words of a title and of a text.
type Texts = (Vec<usize>, Vec<usize>);

fn source(id: i64, kind: usize, (title, text): &Texts) -> IndexedRecord {
    let joined = |words: &[usize]| {
        words
            .iter()
            .map(|word| VOCABULARY[*word])
            .collect::<Vec<_>>()
            .join(" ")
    };
    let instant = Timestamp::from_second(1_700_000_000 + id % 3 * 86_400).unwrap();
    IndexedRecord {
        kind: Kind::ALL[kind],
        project: ProjectId(1 + id % 2),
        author: Some(UserId(1 + id % 4)),
        created_on: instant,
        updated_on: instant,
        fields: vec![
            (if kind == 0 { "subject" } else { "title" }, joined(title)),
            ("description", joined(text)),
        ],
        ..issue(id, "", "")
    }
}

fn records() -> impl Strategy<Value = Vec<(usize, Texts)>> {
    let words = |max| proptest::collection::vec(0..VOCABULARY.len(), 1..max);
    proptest::collection::vec((0..3_usize, (words(3), words(8))), 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..crate::proptest_config() })]
    #[test]
    fn counts_are_exact_and_pages_are_slices_of_all_hits(
        records in records(),
        words in proptest::collection::vec(0..VOCABULARY.len(), 1..4),
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
        let matches = |(_, (title, text)): &(usize, Texts)| {
            let has = |word: &usize| title.contains(word) || text.contains(word);
            (if all_words { words.iter().all(has) } else { words.iter().any(has) }) && !excluded.as_ref().is_some_and(has)
        };
        let expected: Vec<&IndexedRecord> = sources.iter().zip(&records).filter(|(_, record)| matches(record)).map(|(source, _)| source).collect();

        let positive = words.iter().map(|word| VOCABULARY[*word]).collect::<Vec<_>>().join(" ");
        let text = excluded.map_or(positive.clone(), |excluded| format!("{positive} -{}", VOCABULARY[excluded]));
        let query = ParsedQuery::parse(&text, &index.config().bounds).unwrap();
        let visibility = Visibility::everything();
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        let default = SearchRequest::new(&query, &visibility, now, sources.len());
        let request = SearchRequest { all_words, order, facets: &Facet::ALL, ..default };
        let snapshot = index.snapshot();
        let collected = |request: &SearchRequest<'_>| index.compile(request, &query, &index.statistics(request, &snapshot)).unwrap().collect().unwrap();

        let all = collected(&request);
        for kind in Kind::ALL {
            let count = expected.iter().filter(|source| source.kind == kind).count();
            prop_assert_eq!(all.counts[usize::from(kind.code())], count as u64);
        }
        prop_assert!(all.facets[0].values().sum::<u64>() == expected.len() as u64);
        let all = all.into_page(0, sources.len());
        let mut keys: Vec<u64> = all.iter().map(|hit| hit.key).collect();
        keys.sort_unstable();
        let mut expected: Vec<u64> = expected.iter().map(|source| record_key(source.kind, source.id)).collect();
        expected.sort_unstable();
        prop_assert_eq!(keys, expected);

        let page = collected(&SearchRequest { offset, limit, ..request }).into_page(offset, limit);
        prop_assert_eq!(page, all.into_iter().skip(offset).take(limit).collect::<Vec<_>>());
    }
}
