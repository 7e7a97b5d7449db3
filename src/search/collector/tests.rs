use super::{Passing, Tally};
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::kind::Kind;
use crate::search::company::Shared;
use crate::search::index::tests::issue;
use crate::search::index::{Index, Question};
use crate::search::{Facet, Mapping, Order, Query, Visibility};
use crate::store::searchable::Source;
use jiff::Timestamp;
use proptest::prelude::*;
use std::sync::Arc;

const VOCABULARY: [&str; 5] = ["pump", "motor", "valve", "steam", "wheel"];

/// A record with a title and a text of these words.
fn source(id: i64, kind: usize, (title, text): &Saying) -> Source {
    let said = |words: &[usize]| words.iter().map(|word| VOCABULARY[*word]).collect::<Vec<_>>().join(" ");
    let instant = Timestamp::from_second(1_700_000_000 + id % 3 * 86_400).unwrap();
    Source {
        kind: Kind::ALL[kind],
        project: ProjectId(1 + id % 2),
        author: Some(UserId(1 + id % 4)),
        created_on: instant,
        updated_on: instant,
        ..issue(id, &said(title), &said(text))
    }
}

/// The words of a title and of a text.
type Saying = (Vec<usize>, Vec<usize>);

fn records() -> impl Strategy<Value = Vec<(usize, Saying)>> {
    let words = |most| proptest::collection::vec(0..VOCABULARY.len(), 1..most);
    proptest::collection::vec((0..3_usize, (words(3), words(8))), 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn however_many_threads_go_over_the_documents_they_find_what_one_finds(
        records in records(),
        words in proptest::collection::vec(0..VOCABULARY.len(), 1..4),
        all_words in any::<bool>(),
        (quoted, without) in (any::<bool>(), proptest::option::of(0..VOCABULARY.len())),
        order in prop_oneof![Just(Order::Grouped), Just(Order::Relevance), Just(Order::Date)],
        (offset, limit) in (0..5_usize, 0..12_usize),
    ) {
        let index = Index::in_memory(Arc::new(Mapping::embedded().unwrap())).unwrap();
        // Two segments.
        let sources: Vec<Source> = records.iter().zip(1..).map(|((kind, said), id)| source(id, *kind, said)).collect();
        for part in sources.chunks(sources.len().div_ceil(2)) {
            index.fill(part.to_vec()).unwrap();
        }
        let words = words.iter().map(|word| VOCABULARY[*word]).collect::<Vec<_>>().join(" ");
        let words = if quoted { format!("\"{words}\"") } else { words };
        let words = without.map_or(words.clone(), |without| format!("{words} -{}", VOCABULARY[without]));
        let words = Query::parse(&words, &index.mapping().bounds).unwrap();
        let (visibility, now) = (Visibility::everything(), Timestamp::from_second(1_700_000_000).unwrap());
        let plain = Question::plain(&words, &visibility, now, limit);
        let question = Question { all_words, order, offset, facets: &Facet::ALL, ..plain };
        let snapshot = index.snapshot();
        let found = |mut tally: Tally| (tally.counts, tally.top, tally.facets.clone(), tally.sequence(offset, limit));
        let passing = || Passing::of(index.pass(&question, &words, &snapshot).unwrap()).unwrap();
        let alone = found(passing().share().unwrap());
        for threads in [2, 3, 4] {
            let passing = passing();
            let shares = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..threads).map(|_| scope.spawn(|| passing.share().unwrap())).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
            });
            prop_assert_eq!(&found(shares.into_iter().reduce(Tally::and).unwrap()), &alone);
        }
    }
}
