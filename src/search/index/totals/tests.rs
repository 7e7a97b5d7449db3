use crate::access::filter::DocFilter;
use crate::index::Index;
use crate::index::tests::issue;
use crate::query::word::Word;
use crate::request::SearchRequest;
use crate::scoring::Weight;
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

/// Projects with so few records that those are looked up: many in a window, and few.
const FEW_RECORDS: i64 = 4;
const FEWEST_RECORDS: i64 = 5;

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
        project: ProjectId(match id {
            _ if id % 50 == 0 => FEW_RECORDS,
            _ if id % 400 == 1 => FEWEST_RECORDS,
            _ => 1 + id % 3,
        }),
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
        project in 1..=FEWEST_RECORDS,
    ) {
        let index = index(seed);
        let visibility = Visibility::everything();
        let projects = IdSet::from_iter([project]);
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
                projects: (project > 1).then_some(&projects),
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

#[test]
fn few_visible_records_are_looked_up() {
    let index = index(1);
    let visibility = Visibility::everything();
    let query = ParsedQuery::parse("pump motor valve", &index.config.bounds).unwrap();
    let is_looked_up = |project: i64| {
        let projects = IdSet::from_iter([project]);
        let request = SearchRequest {
            projects: Some(&projects),
            ..SearchRequest::new(&query, &visibility, Timestamp::UNIX_EPOCH, 0)
        };
        let snapshot = index.snapshot();
        let statistics = index.statistics(&request, &snapshot);
        let planner = index.planner(&request, &query, &statistics);
        let words = query
            .words
            .iter()
            .map(|word| Weight::compile(&planner.word(word).unwrap(), false, &statistics).unwrap());
        let words: Vec<Weight> = words.collect();
        let filter = DocFilter::new(&visibility, request.kinds, request.projects, None);
        planner.leading(&filter, &words).unwrap().is_some()
    };
    assert_eq!(
        [2, FEW_RECORDS, FEWEST_RECORDS].map(is_looked_up),
        [false, true, true]
    );
}
