use crate::index::Index;
use crate::index::tests::issue;
use crate::query::word::Word;
use crate::request::SearchRequest;
use crate::{IndexConfig, ParsedQuery, Visibility};
use jiff::Timestamp;
use proptest::prelude::*;
use quarry_domain::ids::ProjectId;
use quarry_domain::index_feed::indexed_record::IndexedRecord;
use quarry_domain::values::id_set::IdSet;
use std::sync::Arc;

/// What titles and texts consist of: words, compounds of them, identifiers.
const VOCABULARY: [&str; 8] = [
    "pump",
    "motor",
    "pumpmotor",
    "valve",
    "steam_valve",
    "steam",
    "wheel",
    "motorwheel",
];
/// What queries consist of.
const ITEMS: [&str; 11] = [
    "pump",
    "motor",
    "pumpmotor",
    "valve",
    "steam_valve",
    "steam",
    "\"pump motor\"",
    "whe*",
    "wheel OR valve",
    "-motorwheel",
    "in:title",
];
/// More than a window.
const RECORDS: i64 = 5_000;

/// Returns an issue whose words depend on its id in no obvious way.
fn record(id: i64, seed: u64) -> IndexedRecord {
    let mut state = seed.wrapping_add(id.unsigned_abs().wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut draw = |below: u64| {
        state ^= state >> 29;
        state = state.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        state ^= state >> 32;
        state % below
    };
    let mut text = |max: u64| {
        let count = draw(max);
        let words: Vec<&str> = (0..count)
            .map(|_| VOCABULARY[draw(VOCABULARY.len() as u64) as usize])
            .collect();
        words.join(" ")
    };
    let title = text(3);
    let description = text(6);
    IndexedRecord {
        project: ProjectId(1 + id % 3),
        ..issue(id, &title, &description)
    }
}

fn index(seed: u64) -> Index {
    let index = Index::in_memory(Arc::new(IndexConfig::embedded().unwrap())).unwrap();
    index
        .add_all((1..RECORDS).map(|id| record(id, seed)))
        .unwrap();
    index
        .add_all((RECORDS..RECORDS + 50).map(|id| record(id, seed)))
        .unwrap();
    index
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..proptest::test_runner::Config::default() })]
    #[test]
    fn counting_together_and_one_by_one_is_the_same(
        seed in any::<u64>(),
        queries in proptest::collection::vec(
            (proptest::collection::vec(0..ITEMS.len(), 1..6), any::<bool>()), 1..8),
        in_one_project in any::<bool>(),
    ) {
        let index = index(seed);
        let visibility = Visibility::everything();
        let projects = IdSet::from_iter([2]);
        // Qualifiers and excluded words are those of the request.
        let is_fixed = |item: &&str| item.starts_with('-') || *item == "in:title";
        for (items, _) in &queries {
            let fixed = items.iter().map(|item| ITEMS[*item]).filter(is_fixed);
            let parse = |items: &[usize]| {
                let words = items.iter().map(|item| ITEMS[*item]).filter(|item| !is_fixed(item));
                let text: Vec<&str> = words.chain(fixed.clone()).collect();
                ParsedQuery::parse(&text.join(" "), &index.config.bounds).unwrap()
            };
            let request_query = parse(items);
            let now = Timestamp::from_second(1_700_000_000).unwrap();
            let request = SearchRequest {
                projects: in_one_project.then_some(&projects),
                ..SearchRequest::new(&request_query, &visibility, now, 0)
            };
            let snapshot = index.snapshot();
            let statistics = index.statistics(&request, &snapshot);
            let parsed: Vec<(ParsedQuery, bool)> = queries
                .iter()
                .map(|(items, all_words)| (parse(items), *all_words))
                .filter(|(query, _)| !query.words.is_empty())
                .collect();
            let together: Vec<(&[Word], bool)> = parsed.iter().map(|(query, all_words)| (query.words.as_slice(), *all_words)).collect();
            let together = index.totals(&request, &together, &statistics).unwrap();
            let one_by_one: Vec<u64> = parsed
                .iter()
                .map(|(query, all_words)| index.total_of(&request, query, *all_words, &statistics).unwrap())
                .collect();
            prop_assert_eq!(together, one_by_one);
        }
    }
}
