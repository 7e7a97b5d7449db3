//! What a viewer is shown of scores must not depend on what that viewer may not see.

use super::{COUNTED_UP_TO, MIN_RECORDS, coarse};
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::visibility::Visible;
use crate::search::index::tests::issue;
use crate::search::{Attachments, Index, Like, Mapping, Order, Query, Question, Visibility};
use crate::store::searchable::Source;
use jiff::Timestamp;
use proptest::prelude::*;
use std::sync::Arc;

const VOCABULARY: [&str; 8] = ["pump", "motor", "valve", "steam", "wheel", "lever", "cable", "codename"];

fn index(sources: impl IntoIterator<Item = Source>) -> Index {
    let index = Index::in_memory(Arc::new(Mapping::embedded().unwrap())).unwrap();
    index.fill(sources).unwrap();
    index
}

/// A viewer who sees project 1 alone, and of its private notes only those of user 7.
fn viewer() -> Visibility {
    let own = || Visible::InProjects(Arc::new([1i64].into_iter().collect()));
    let notes = Visible::All(vec![own(), Visible::WrittenBy(UserId(7))]);
    Visibility::compile(std::array::from_fn(|_| own()), &notes, &own(), Vec::new(), Some(UserId(7)))
}

/// Everything that the viewer is told of these words: hits, scores to the last bit, and their explanations as they are shown.
fn told(index: &Index, words: &str, all_words: bool, order: Order) -> (Vec<(i64, Option<u32>)>, String) {
    let query = Query::parse(words, &index.mapping().bounds).unwrap();
    let (visibility, now) = (viewer(), Timestamp::from_second(1_700_500_000).unwrap());
    let plain = Question::plain(&query, &visibility, now, 50);
    let question = Question { all_words, order, attachments: Attachments::With, ..plain };
    let page = index.ask(&question).unwrap().page;
    let shown = |part: f32| format!("{part:.4}");
    let explained = index.explain(&question, &page).unwrap().into_iter().flatten().map(|explanation| {
        let parts = [explanation.exact_title, explanation.adjacent_words, explanation.recency];
        explanation.words.iter().chain(&parts).map(|part| shown(*part)).collect::<Vec<_>>().join(" ")
    });
    let explained = explained.collect::<Vec<_>>().join("; ");
    (page.iter().map(|hit| (hit.id, hit.score.map(f32::to_bits))).collect(), explained)
}

/// The issues that are like a text, with their scores.
fn alike(index: &Index, subject: &str) -> Vec<(i64, Option<u32>)> {
    let visibility = viewer();
    let like = Like {
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
    index.similar(&like, &index.mapping().similar).unwrap().into_iter().map(|hit| (hit.id, hit.score.map(f32::to_bits))).collect()
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(&VOCABULARY[..]), 1..12).prop_map(|words| words.join(" "))
}

/// A subject, a description, an attachment and a private note of user 9.
fn texts(most: usize) -> impl Strategy<Value = Vec<(String, String, String, String)>> {
    proptest::collection::vec((text(), text(), text(), text()), 1..most)
}

fn sources(texts: &[(String, String, String, String)], first: i64, project: i64, with_notes: bool) -> impl Iterator<Item = Source> {
    (first..).zip(texts).map(move |(id, (subject, description, attachment, note))| {
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
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// As long as few records have the words, hidden records and hidden notes change nothing at all.
    #[test]
    fn hidden_text_moves_no_score(seen in texts(30), hidden in texts(60), words in text(), all_words: bool, grouped: bool) {
        let order = if grouped { Order::Grouped } else { Order::Relevance };
        let alone = index(sources(&seen, 1, 1, false));
        let beside = index(sources(&hidden, 1_000, 2, true).chain(sources(&seen, 1, 1, true)));
        prop_assert_eq!(told(&alone, &words, all_words, order), told(&beside, &words, all_words, order));
        prop_assert_eq!(alike(&alone, &words), alike(&beside, &words));
    }
}

#[test]
fn visible_text_does_move_scores() {
    let seen = || vec![issue(1, "pump", "codename"), issue(2, "pump", "valve")];
    let more = (3..40).map(|id| issue(id, "wheel", "codename"));
    let ask = |index: &Index| told(index, "codename valve", false, Order::Relevance).0[..2].to_vec();
    assert_ne!(ask(&index(seen())), ask(&index(seen().into_iter().chain(more))));
}

/// Of words that very many records have, a few hidden records show only where they carry the number over a step.
#[test]
fn a_few_hidden_records_do_not_move_the_scores_of_common_words() {
    let records = MIN_RECORDS.max(COUNTED_UP_TO) as i64 + 200;
    let seen = || (1..=records).map(|id| issue(id, "pump", if id % 400 == 0 { "valve codename" } else { "valve" }));
    let hidden = (10_001..10_008).map(|id| Source { project: ProjectId(2), ..issue(id, "pump codename", "valve") });
    let (alone, beside) = (index(seen()), index(seen().chain(hidden)));
    for words in ["valve", "codename", "valve codename", "pump valve"] {
        for all_words in [false, true] {
            let ask = |index: &Index| told(index, words, all_words, Order::Relevance);
            assert_eq!(ask(&alone), ask(&beside), "{words}");
        }
    }
}

#[test]
fn numbers_are_brought_to_the_nearest_step() {
    assert_eq!([900.0, 1_024.0, 1_200.0].map(|value| coarse(value, 2.0)), [1_024.0; 3]);
    assert_eq!(coarse(1_300.0, 2.0).round() as u64, 1_448);
    assert_eq!((coarse(0.25, 8.0), coarse(1_000.0, 8.0)), (0.25, 1_024.0));
}
