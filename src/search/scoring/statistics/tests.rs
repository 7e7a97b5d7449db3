//! Scores must not depend on text that the viewer may not see.

use super::{MAX_COUNTED_DOCS, MIN_RECORDS, round_to_steps};
use crate::index::tests::issue;
use crate::{
    Attachments, Index, IndexConfig, Order, ParsedQuery, SearchRequest, SimilarRequest, Visibility,
};
use jiff::Timestamp;
use proptest::prelude::*;
use quarry_domain::access::visible::Visible;
use quarry_domain::ids::{ProjectId, UserId};
use quarry_domain::index_feed::indexed_record::IndexedRecord;
use std::sync::Arc;

const VOCABULARY: [&str; 8] = [
    "pump", "motor", "valve", "steam", "wheel", "lever", "cable", "codename",
];

fn index(sources: impl IntoIterator<Item = IndexedRecord>) -> Index {
    let index = Index::in_memory(Arc::new(IndexConfig::embedded().unwrap())).unwrap();
    index.add_all(sources).unwrap();
    index
}

/// A viewer who sees project 1 alone, and of its private notes only those of user 7.
fn viewer() -> Visibility {
    let own = Visible::InProjects(Arc::new([1i64].into_iter().collect()));
    let notes = Visible::All(vec![own.clone(), Visible::WrittenBy(UserId(7))]);
    Visibility::compile(
        std::array::from_fn(|_| own.clone()),
        &notes,
        &own,
        Vec::new(),
        Some(UserId(7)),
    )
}

/// Returns everything that the response reveals: hits, scores to the last bit, and explanations as
/// they are shown.
fn revealed(
    index: &Index,
    words: &str,
    all_words: bool,
    order: Order,
) -> (Vec<(i64, Option<u32>)>, String) {
    let query = ParsedQuery::parse(words, &index.config().bounds).unwrap();
    let visibility = viewer();
    let now = Timestamp::from_second(1_700_500_000).unwrap();
    let default = SearchRequest::new(&query, &visibility, now, 50);
    let request = SearchRequest {
        all_words,
        order,
        attachments: Attachments::With,
        ..default
    };
    let hits = index.search(&request).unwrap().hits;
    let explained = index
        .explain(&request, &hits)
        .unwrap()
        .into_iter()
        .flatten()
        .map(|explanation| {
            let parts = [
                explanation.exact_title,
                explanation.adjacent_words,
                explanation.recency,
            ];
            explanation
                .words
                .iter()
                .chain(&parts)
                .map(|part| format!("{part:.4}"))
                .collect::<Vec<_>>()
                .join(" ")
        });
    let explained = explained.collect::<Vec<_>>().join("; ");
    (
        hits.iter()
            .map(|hit| (hit.id, hit.score.map(f32::to_bits)))
            .collect(),
        explained,
    )
}

/// Returns the issues similar to a text, with their scores.
fn similar(index: &Index, subject: &str) -> Vec<(i64, Option<u32>)> {
    let visibility = viewer();
    let request = SimilarRequest {
        subject,
        description: "",
        notes: &[],
        except: None,
        visibility: &visibility,
        projects: None,
        closed: None,
        written: Timestamp::from_second(1_700_500_000).unwrap(),
        limit: 50,
    };
    index
        .similar(&request, &index.config().similar)
        .unwrap()
        .into_iter()
        .map(|hit| (hit.id, hit.score.map(f32::to_bits)))
        .collect()
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(&VOCABULARY[..]), 1..12)
        .prop_map(|words| words.join(" "))
}

/// Subjects, descriptions, attachments and private notes of user 9.
fn texts(max: usize) -> impl Strategy<Value = Vec<(String, String, String, String)>> {
    proptest::collection::vec((text(), text(), text(), text()), 1..max)
}

fn sources(
    texts: &[(String, String, String, String)],
    first: i64,
    project: i64,
    with_notes: bool,
) -> impl Iterator<Item = IndexedRecord> {
    (first..)
        .zip(texts)
        .map(move |(id, (subject, description, attachment, note))| {
            let mut source = issue(id, subject, description);
            source.project = ProjectId(project);
            source.fields.push(("attachments", attachment.clone()));
            if with_notes {
                source.restricted.push((UserId(9), note.clone()));
            }
            source
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..proptest::test_runner::Config::default() })]

    /// While few records have the words, hidden records and notes change nothing at all.
    #[test]
    fn hidden_text_does_not_change_scores(shown in texts(30), hidden in texts(60), words in text(), all_words: bool, grouped: bool) {
        let order = if grouped { Order::Grouped } else { Order::Relevance };
        let visible = index(sources(&shown, 1, 1, false));
        let all = index(sources(&hidden, 1_000, 2, true).chain(sources(&shown, 1, 1, true)));
        prop_assert_eq!(revealed(&visible, &words, all_words, order), revealed(&all, &words, all_words, order));
        prop_assert_eq!(similar(&visible, &words), similar(&all, &words));
    }
}

#[test]
fn visible_text_changes_scores() {
    let few = [issue(1, "pump", "codename"), issue(2, "pump", "valve")];
    let many = (3..40).map(|id| issue(id, "wheel", "codename"));
    let many = index(few.clone().into_iter().chain(many));
    let few = index(few);
    let (hits_in_few, _) = revealed(&few, "codename valve", false, Order::Relevance);
    let (hits_in_many, _) = revealed(&many, "codename valve", false, Order::Relevance);
    assert_ne!(hits_in_few[..2], hits_in_many[..2]);
}

/// For very common words, a few hidden records show only where their count crosses a rounding step.
#[test]
fn few_hidden_records_do_not_change_scores_of_common_words() {
    let records = MIN_RECORDS.max(MAX_COUNTED_DOCS) as i64 + 200;
    let visible = (1..=records).map(|id| {
        let is_rare = id % 400 == 0;
        issue(id, "pump", if is_rare { "valve codename" } else { "valve" })
    });
    let hidden = (10_001..10_008).map(|id| IndexedRecord {
        project: ProjectId(2),
        ..issue(id, "pump codename", "valve")
    });
    let all = index(visible.clone().chain(hidden));
    let visible = index(visible);
    for words in ["valve", "codename", "valve codename", "pump valve"] {
        for all_words in [false, true] {
            assert_eq!(
                revealed(&visible, words, all_words, Order::Relevance),
                revealed(&all, words, all_words, Order::Relevance),
                "{words}"
            );
        }
    }
}

#[test]
fn values_are_rounded_to_the_nearest_step() {
    assert_eq!(
        [900.0, 1_024.0, 1_200.0].map(|value| round_to_steps(value, 2.0)),
        [1_024.0; 3]
    );
    assert_eq!(round_to_steps(1_300.0, 2.0).round() as u64, 1_448);
    assert_eq!(
        (round_to_steps(0.25, 8.0), round_to_steps(1_000.0, 8.0)),
        (0.25, 1_024.0)
    );
}
