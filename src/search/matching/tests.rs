use super::sieve::Sieve;
use super::{Clause, Hits, Sought};
use crate::search::analyzer::WordTokenizer;
use crate::search::mapping::Mapping;
use crate::search::schema::{Fields, WORDS, schema};
use crate::search::snapshot::Snapshot;
use crate::search::statistics::Statistics;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tantivy::collector::TopDocs;
use tantivy::query::{AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, TantivyDocument};
use tantivy::{DocAddress, Index, IndexWriter, Term};

const VOCABULARY: [&str; 7] = ["pump", "motor", "valve", "steam", "wheel", "lever", "cable"];

/// Texts of a few words, some of them cut into a second segment.
fn searched(texts: &[Vec<usize>]) -> (Snapshot, Fields) {
    let (schema, fields) = schema(&Mapping::embedded().unwrap());
    let index = Index::create_in_ram(schema);
    index.tokenizers().register(WORDS, WordTokenizer);
    let mut writer: IndexWriter<TantivyDocument> = index.writer_with_num_threads(1, 15_000_000).unwrap();
    writer.set_merge_policy(Box::new(tantivy::indexer::NoMergePolicy));
    for part in texts.chunks(texts.len().div_ceil(2).max(1)) {
        for text in part {
            let mut document = TantivyDocument::default();
            for (column, value) in [(fields.key, 1), (fields.class, 1), (fields.author, 1), (fields.assignee, 1)] {
                document.add_u64(column, value);
            }
            document.add_i64(fields.date, 1);
            let words: Vec<&str> = text.iter().map(|word| VOCABULARY[*word]).collect();
            document.add_text(fields.text[0].field, words.join(" "));
            writer.add_document(document).unwrap();
        }
        writer.commit().unwrap();
    }
    (Snapshot::of(index.reader().unwrap().searcher()), fields)
}

fn term(field: Field, word: usize) -> Term {
    Term::from_field_text(field, &crate::search::analyzer::Pieces::all(VOCABULARY[word])[0].term)
}

fn phrase(field: Field, words: &[(usize, usize)]) -> Vec<(usize, Term)> {
    words.iter().map(|(place, word)| (*place, term(field, *word))).collect()
}

#[derive(Clone, Debug)]
enum Tree {
    Nothing,
    Everything,
    Term(usize),
    Phrase(Vec<(usize, usize)>),
    Unscored(usize),
    Best(Vec<Tree>),
    Any(Vec<Tree>),
    All(Vec<Tree>),
    Boosted(Box<Tree>, f32),
}

impl Tree {
    fn clause(&self, field: Field) -> Clause {
        let each = |trees: &[Tree]| trees.iter().map(|tree| tree.clause(field)).collect();
        match self {
            Tree::Nothing => Clause::Nothing,
            Tree::Everything => Clause::Everything,
            Tree::Term(word) => Clause::Term(term(field, *word)),
            Tree::Phrase(words) => Clause::phrase(phrase(field, words), 0),
            Tree::Unscored(word) => Clause::engine(Box::new(TermQuery::new(term(field, *word), IndexRecordOption::Basic))),
            Tree::Best(trees) => Clause::Best(each(trees)),
            Tree::Any(trees) => Clause::any(each(trees)),
            Tree::All(trees) => Clause::all(each(trees)),
            Tree::Boosted(tree, by) => tree.clause(field).boosted(*by),
        }
    }

    /// The same for the engine.
    fn query(&self, field: Field) -> Box<dyn Query> {
        let each = |trees: &[Tree]| trees.iter().map(|tree| tree.query(field)).collect();
        let word = |word: usize| Box::new(TermQuery::new(term(field, word), IndexRecordOption::WithFreqs));
        match self {
            Tree::Nothing => Box::new(EmptyQuery),
            Tree::Everything => Box::new(AllQuery),
            Tree::Term(one) => word(*one),
            Tree::Phrase(words) => Box::new(PhraseQuery::new_with_offset(phrase(field, words))),
            Tree::Unscored(one) => Box::new(ConstScoreQuery::new(word(*one), 0.0)),
            Tree::Best(trees) => Box::new(DisjunctionMaxQuery::new(each(trees))),
            Tree::Any(trees) => Box::new(BooleanQuery::union(each(trees))),
            Tree::All(trees) => Box::new(BooleanQuery::intersection(each(trees))),
            Tree::Boosted(tree, by) => Box::new(BoostQuery::new(tree.query(field), *by)),
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let phrase = (proptest::collection::vec(0..VOCABULARY.len(), 2..4), 1..3_usize)
        .prop_map(|(words, apart)| Tree::Phrase(words.into_iter().enumerate().map(|(place, word)| (place * apart, word)).collect()));
    let leaf = prop_oneof![
        1 => Just(Tree::Nothing),
        6 => (0..VOCABULARY.len()).prop_map(Tree::Term),
        6 => phrase,
        1 => (0..VOCABULARY.len()).prop_map(Tree::Unscored),
    ];
    let tree = leaf.prop_recursive(3, 16, 4, |inner| {
        let several = || proptest::collection::vec(inner.clone(), 2..5);
        prop_oneof![
            several().prop_map(Tree::Best),
            several().prop_map(Tree::Any),
            several().prop_map(Tree::All),
            (inner.clone(), prop_oneof![Just(0.5_f32), Just(3.0)]).prop_map(|(tree, by)| Tree::Boosted(Box::new(tree), by)),
        ]
    });
    // The engine leaves it out of others.
    prop_oneof![1 => Just(Tree::Everything), 30 => tree]
}

fn texts() -> impl Strategy<Value = Vec<Vec<usize>>> {
    proptest::collection::vec(proptest::collection::vec(0..VOCABULARY.len(), 1..8), 1..40)
}

/// Words that are found in several ways, the first of them a plain term; and what adds to their scores.
fn words() -> impl Strategy<Value = (Tree, Vec<Tree>)> {
    let term = || (0..VOCABULARY.len()).prop_map(Tree::Term);
    let pair = || (0..VOCABULARY.len(), 0..VOCABULARY.len()).prop_map(|(one, other)| Tree::Phrase(vec![(0, one), (1, other)]));
    let way = || prop_oneof![term(), pair()];
    let word = (term(), proptest::collection::vec(way(), 0..3), any::<bool>()).prop_map(|(first, mut ways, best)| {
        ways.insert(0, first);
        if best { Tree::Best(ways) } else { Tree::Any(ways) }
    });
    let words = (proptest::collection::vec(word, 1..4), any::<bool>());
    let words = words.prop_map(|(words, all)| if all { Tree::All(words) } else { Tree::Any(words) });
    let boosted = |tree| Tree::Boosted(Box::new(tree), 0.3);
    (words, proptest::collection::vec(way().prop_map(boosted), 0..4))
}

/// A question and what adds to its scores, looked up together.
fn looked_up(clause: &Clause, ranking: &[Clause], snapshot: &Snapshot, fields: &Fields) -> (Sought, Vec<Sought>) {
    let statistics = Statistics::exact(snapshot, fields);
    let sought = |clause| Sought::of(clause, true, &statistics).unwrap();
    (sought(clause), ranking.iter().map(sought).collect())
}

/// What a sieve lets through, with the bounds of what it is sure of; `None` where it does not take the question.
fn sifted(clause: &Clause, ranking: &[Clause], snapshot: &Snapshot, fields: &Fields) -> Option<BTreeMap<DocAddress, Option<f32>>> {
    let (sought, ranking) = looked_up(clause, ranking, snapshot, fields);
    let ranking: Vec<&Sought> = ranking.iter().collect();
    let mut left = BTreeMap::new();
    for segment in snapshot.segments().unwrap() {
        let mut sieve = Sieve::anyhow(&sought, &ranking, segment).unwrap()?;
        while let Some(sifted) = sieve.advance() {
            let before = left.insert(DocAddress::new(u32::try_from(segment.place).unwrap(), sifted.doc), sifted.bound);
            assert!(before.is_none());
        }
    }
    Some(left)
}

/// What the better way finds, with the scores, when it goes through a sieve.
fn found_by_sieve(clause: &Clause, ranking: &[Clause], snapshot: &Snapshot, fields: &Fields) -> BTreeMap<DocAddress, f32> {
    let (sought, ranking) = looked_up(clause, ranking, snapshot, fields);
    let ranking: Vec<&Sought> = ranking.iter().collect();
    let mut found = BTreeMap::new();
    for segment in snapshot.segments().unwrap() {
        let sieve = Sieve::anyhow(&sought, &ranking, segment).unwrap();
        let mut hits = Hits::of(sought.open(segment).unwrap(), sieve, &ranking);
        let mut doc = hits.doc();
        while doc != tantivy::TERMINATED {
            if hits.holds() {
                let (bound, score) = (hits.bound(), hits.score());
                assert!(score <= bound, "{score} <= {bound}");
                let before = found.insert(DocAddress::new(u32::try_from(segment.place).unwrap(), doc), score);
                assert!(before.is_none());
            }
            doc = hits.advance();
        }
    }
    found
}

/// Nothing that matches is lost, what a sieve is sure of matches, and no score is above its bound.
fn agrees(left: &BTreeMap<DocAddress, Option<f32>>, found: &BTreeMap<DocAddress, f32>, ranking: &[BTreeMap<DocAddress, f32>]) {
    assert!(found.keys().all(|address| left.contains_key(address)));
    for (address, bound) in left.iter().filter_map(|(address, bound)| Some((address, (*bound)?))) {
        let added: f32 = ranking.iter().filter_map(|ranking| ranking.get(address)).sum();
        assert!(found[address] + added <= bound, "{address:?}: {} + {added} <= {bound}", found[address]);
    }
}

/// What a clause finds, with the scores; the bounds are looked at on the way.
fn found(clause: &Clause, scored: bool, snapshot: &Snapshot, fields: &Fields) -> BTreeMap<DocAddress, f32> {
    let sought = Sought::of(clause, scored, &Statistics::exact(snapshot, fields)).unwrap();
    let mut found = BTreeMap::new();
    for segment in snapshot.segments().unwrap() {
        let mut cursor = sought.open(segment).unwrap();
        while cursor.doc() != tantivy::TERMINATED {
            let (doc, bound, sure) = (cursor.doc(), cursor.bound(), cursor.is_sure());
            let holds = cursor.holds();
            assert!(holds || !sure, "what is sure holds");
            if holds {
                let score = cursor.score();
                assert!(score <= bound * 1.0001 && bound <= sought.most() * 1.0001, "{score} <= {bound} <= {}", sought.most());
                assert!(!sure || score.to_bits() == bound.to_bits());
                found.insert(DocAddress::new(u32::try_from(segment.place).unwrap(), doc), score);
            }
            assert!(cursor.advance() > doc);
        }
    }
    found
}

proptest! {
    #[test]
    fn every_clause_finds_and_scores_as_the_engine_does(texts in texts(), tree in trees()) {
        let (snapshot, fields) = searched(&texts);
        let field = fields.text[0].field;
        let engine = snapshot.searcher.search(&tree.query(field), &TopDocs::with_limit(1_000).order_by_score()).unwrap();
        let engine: BTreeMap<DocAddress, f32> = engine.into_iter().map(|(score, address)| (address, score)).collect();
        let ours = found(&tree.clause(field), true, &snapshot, &fields);
        prop_assert_eq!(ours.keys().collect::<Vec<_>>(), engine.keys().collect::<Vec<_>>());
        for (address, score) in &engine {
            prop_assert!((score - ours[address]).abs() <= score.abs() * 1e-4 + 1e-6, "{:?}: {} and {}", address, ours[address], score);
        }
        let unscored = found(&tree.clause(field), false, &snapshot, &fields);
        prop_assert_eq!(unscored.keys().collect::<Vec<_>>(), engine.keys().collect::<Vec<_>>());
        prop_assert!(unscored.values().all(|score| *score == 0.0));
    }

    #[test]
    fn a_sieve_loses_nothing_and_knows_what_scores_can_be(texts in texts(), (words, ranking) in words()) {
        let (snapshot, fields) = searched(&texts);
        let field = fields.text[0].field;
        let ranking: Vec<Clause> = ranking.iter().map(|tree| tree.clause(field)).collect();
        if let Some(left) = sifted(&words.clause(field), &ranking, &snapshot, &fields) {
            let found_of = |clause: &Clause| found(clause, true, &snapshot, &fields);
            agrees(&left, &found_of(&words.clause(field)), &ranking.iter().map(found_of).collect::<Vec<_>>());
        }
        let clause = words.clause(field);
        let all = found(&clause, true, &snapshot, &fields);
        prop_assert_eq!(found_by_sieve(&clause, &ranking, &snapshot, &fields), all);
    }

    #[test]
    fn neighbours_may_be_off_their_places(texts in texts(), one in 0..7_usize, other in 0..7_usize, slop in 1..3_u32) {
        let (snapshot, fields) = searched(&texts);
        let clause = Clause::phrase(phrase(fields.text[0].field, &[(0, one), (1, other)]), slop);
        let near = |text: &[usize]| {
            let at = |word: usize| text.iter().enumerate().filter(move |(_, said)| **said == word).map(|(place, _)| place);
            at(one).any(|from| at(other).any(|to| (from + 1).abs_diff(to) <= slop as usize))
        };
        let count = texts.iter().filter(|text| near(text)).count();
        prop_assert_eq!(found(&clause, true, &snapshot, &fields).len(), count);
    }
}

#[test]
fn a_cursor_that_is_told_to_go_far_stands_where_a_slow_one_comes_to() {
    let texts: Vec<Vec<usize>> = (0..1_000).map(|n| vec![n % 7, n / 7 % 7, (n * n) % 7]).collect();
    let (snapshot, fields) = searched(&texts);
    let field = fields.text[0].field;
    let clause = Clause::any(vec![
        Clause::all(vec![Clause::Term(term(field, 1)), Clause::Term(term(field, 2))]),
        Clause::phrase(phrase(field, &[(0, 3), (1, 4)]), 0),
    ]);
    let sought = Sought::of(&clause, true, &Statistics::exact(&snapshot, &fields)).unwrap();
    let mut all = Vec::new();
    for segment in snapshot.segments().unwrap() {
        let mut cursor = sought.open(segment).unwrap();
        while cursor.doc() != tantivy::TERMINATED {
            all.push((segment.place, cursor.doc()));
            cursor.advance();
        }
        for target in 0..segment.reader.max_doc() {
            let expected = all.iter().filter(|(of, doc)| *of == segment.place && *doc >= target).map(|(_, doc)| *doc).min();
            assert_eq!(sought.open(segment).unwrap().seek(target), expected.unwrap_or(tantivy::TERMINATED));
        }
    }
    assert!(all.len() > 100);
}

#[test]
fn a_sieve_goes_from_window_to_window() {
    // A word in every third document, one in every 1,000th, one in the last of many.
    let stands = |n: usize| [(0, n.is_multiple_of(3)), (1, n.is_multiple_of(1_000)), (2, n > 24_000), (3, n % 4_096 > 4_090)];
    let texts: Vec<Vec<usize>> =
        (0..25_000).map(|n| stands(n).iter().filter(|(_, stands)| *stands).map(|(word, _)| *word).chain([4]).collect()).collect();
    let (snapshot, fields) = searched(&texts);
    let field = fields.text[0].field;
    for words in [vec![0], vec![1], vec![2], vec![3], vec![0, 1], vec![0, 2], vec![1, 2, 4], vec![0, 3], vec![3, 4]] {
        let each = || words.iter().map(|word| Clause::Term(term(field, *word))).collect();
        for clause in [Clause::all(each()), Clause::any(each())] {
            let left = sifted(&clause, &[], &snapshot, &fields);
            let found = found(&clause, true, &snapshot, &fields);
            // The word of the last documents is not in the first segment.
            let Some(left) = left else {
                assert!(words.contains(&2));
                continue;
            };
            assert!(left.keys().eq(found.keys()) && left.values().all(Option::is_some));
            agrees(&left, &found, &[]);
        }
    }
}
