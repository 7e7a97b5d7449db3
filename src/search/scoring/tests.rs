use super::bulk_scorer::{Candidate, WindowedScorer};
use super::statistics::Statistics;
use super::{Query, SegmentMatches, Weight};
use crate::analyzer::WordTokenizer;
use crate::schema::config::IndexConfig;
use crate::schema::fields::{ANALYZER, Fields, build_schema};
use crate::snapshot::Snapshot;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tantivy::collector::TopDocs;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery,
    PhraseQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption, TantivyDocument};
use tantivy::{DocAddress, Index, IndexWriter, Term};

const VOCABULARY: [&str; 7] = ["pump", "motor", "valve", "steam", "wheel", "lever", "cable"];

/// Indexes texts of a few words in two segments.
fn index_texts(texts: &[Vec<usize>]) -> (Snapshot, Fields) {
    let (schema, fields) = build_schema(&IndexConfig::embedded().unwrap());
    let index = Index::create_in_ram(schema);
    index.tokenizers().register(ANALYZER, WordTokenizer);
    let mut writer: IndexWriter<TantivyDocument> =
        index.writer_with_num_threads(1, 15_000_000).unwrap();
    writer.set_merge_policy(Box::new(tantivy::indexer::NoMergePolicy));
    for part in texts.chunks(texts.len().div_ceil(2).max(1)) {
        for text in part {
            let mut document = TantivyDocument::default();
            for (column, value) in [
                (fields.key, 1),
                (fields.class, 1),
                (fields.author, 1),
                (fields.assignee, 1),
            ] {
                document.add_u64(column, value);
            }
            document.add_i64(fields.date, 1);
            let words: Vec<&str> = text.iter().map(|word| VOCABULARY[*word]).collect();
            document.add_text(fields.text[0].field, words.join(" "));
            writer.add_document(document).unwrap();
        }
        writer.commit().unwrap();
    }
    (Snapshot::new(index.reader().unwrap().searcher()), fields)
}

fn term(field: Field, word: usize) -> Term {
    Term::from_field_text(
        field,
        &crate::analyzer::Tokens::all(VOCABULARY[word])[0].term,
    )
}

fn phrase(field: Field, words: &[(usize, usize)]) -> Vec<(usize, Term)> {
    words
        .iter()
        .map(|(place, word)| (*place, term(field, *word)))
        .collect()
}

#[derive(Clone, Debug)]
enum Tree {
    Empty,
    AllDocs,
    Term(usize),
    Phrase(Vec<(usize, usize)>),
    Unscored(usize),
    DisMax(Vec<Tree>),
    Or(Vec<Tree>),
    And(Vec<Tree>),
    Boost(Box<Tree>, f32),
}

impl Tree {
    fn query(&self, field: Field) -> Query {
        match self {
            Tree::Empty => Query::Empty,
            Tree::AllDocs => Query::AllDocs,
            Tree::Term(word) => Query::Term(term(field, *word)),
            Tree::Phrase(words) => Query::phrase(phrase(field, words), 0),
            Tree::Unscored(word) => Query::tantivy(Box::new(TermQuery::new(
                term(field, *word),
                IndexRecordOption::Basic,
            ))),
            Tree::DisMax(trees) => Query::DisMax(queries(trees, field)),
            Tree::Or(trees) => Query::or(queries(trees, field)),
            Tree::And(trees) => Query::and(queries(trees, field)),
            Tree::Boost(tree, by) => tree.query(field).boost(*by),
        }
    }

    /// The same query for tantivy.
    fn tantivy_query(&self, field: Field) -> Box<dyn tantivy::query::Query> {
        match self {
            Tree::Empty => Box::new(EmptyQuery),
            Tree::AllDocs => Box::new(AllQuery),
            Tree::Term(word) => term_query(*word, field),
            Tree::Phrase(words) => Box::new(PhraseQuery::new_with_offset(phrase(field, words))),
            Tree::Unscored(word) => Box::new(ConstScoreQuery::new(term_query(*word, field), 0.0)),
            Tree::DisMax(trees) => {
                Box::new(DisjunctionMaxQuery::new(tantivy_queries(trees, field)))
            }
            Tree::Or(trees) => Box::new(BooleanQuery::union(tantivy_queries(trees, field))),
            Tree::And(trees) => Box::new(BooleanQuery::intersection(tantivy_queries(trees, field))),
            Tree::Boost(tree, by) => Box::new(BoostQuery::new(tree.tantivy_query(field), *by)),
        }
    }
}

fn queries(trees: &[Tree], field: Field) -> Vec<Query> {
    trees.iter().map(|tree| tree.query(field)).collect()
}

fn tantivy_queries(trees: &[Tree], field: Field) -> Vec<Box<dyn tantivy::query::Query>> {
    trees.iter().map(|tree| tree.tantivy_query(field)).collect()
}

fn term_query(word: usize, field: Field) -> Box<TermQuery> {
    Box::new(TermQuery::new(
        term(field, word),
        IndexRecordOption::WithFreqs,
    ))
}

fn trees() -> impl Strategy<Value = Tree> {
    let phrase = (
        proptest::collection::vec(0..VOCABULARY.len(), 2..4),
        1..3_usize,
    )
        .prop_map(|(words, apart)| {
            Tree::Phrase(
                words
                    .into_iter()
                    .enumerate()
                    .map(|(place, word)| (place * apart, word))
                    .collect(),
            )
        });
    let leaf = prop_oneof![
        1 => Just(Tree::Empty),
        6 => (0..VOCABULARY.len()).prop_map(Tree::Term),
        6 => phrase,
        1 => (0..VOCABULARY.len()).prop_map(Tree::Unscored),
    ];
    let tree = leaf.prop_recursive(3, 16, 4, |inner| {
        let several = proptest::collection::vec(inner.clone(), 2..5);
        prop_oneof![
            several.clone().prop_map(Tree::DisMax),
            several.clone().prop_map(Tree::Or),
            several.prop_map(Tree::And),
            (inner, prop_oneof![Just(0.5_f32), Just(3.0)])
                .prop_map(|(tree, by)| Tree::Boost(Box::new(tree), by)),
        ]
    });
    // tantivy drops it from other queries.
    prop_oneof![1 => Just(Tree::AllDocs), 30 => tree]
}

fn texts() -> impl Strategy<Value = Vec<Vec<usize>>> {
    proptest::collection::vec(proptest::collection::vec(0..VOCABULARY.len(), 1..8), 1..40)
}

/// Words with several sources, the first one a plain term, and their boosts.
fn words() -> impl Strategy<Value = (Tree, Vec<Tree>)> {
    let term = (0..VOCABULARY.len()).prop_map(Tree::Term).boxed();
    let pair = (0..VOCABULARY.len(), 0..VOCABULARY.len())
        .prop_map(|(one, other)| Tree::Phrase(vec![(0, one), (1, other)]));
    let variant = prop_oneof![term.clone(), pair].boxed();
    let variants = proptest::collection::vec(variant.clone(), 0..3);
    let word = (term, variants, any::<bool>()).prop_map(|(first, mut variants, best)| {
        variants.insert(0, first);
        if best {
            Tree::DisMax(variants)
        } else {
            Tree::Or(variants)
        }
    });
    let words = (proptest::collection::vec(word, 1..4), any::<bool>());
    let words = words.prop_map(|(words, all)| {
        if all {
            Tree::And(words)
        } else {
            Tree::Or(words)
        }
    });
    let boosted = variant.prop_map(|tree| Tree::Boost(Box::new(tree), 0.3));
    (words, proptest::collection::vec(boosted, 0..4))
}

/// Compiles a query and its boosts with the same statistics.
fn compile(
    query: &Query,
    boosts: &[Query],
    snapshot: &Snapshot,
    fields: &Fields,
) -> (Weight, Vec<Weight>) {
    let statistics = Statistics::exact(snapshot, fields);
    let boosts = boosts
        .iter()
        .map(|boost| Weight::compile(boost, true, &statistics).unwrap())
        .collect();
    (Weight::compile(query, true, &statistics).unwrap(), boosts)
}

/// Returns the candidates of a [`WindowedScorer`] with their bounds; `None` if the query has no
/// suitable form.
fn candidates(
    query: &Query,
    boosts: &[Query],
    snapshot: &Snapshot,
    fields: &Fields,
) -> Option<BTreeMap<DocAddress, Candidate>> {
    let (weight, boosts) = compile(query, boosts, snapshot, fields);
    let boosts: Vec<&Weight> = boosts.iter().collect();
    let mut candidates = BTreeMap::new();
    for segment in snapshot.segments().unwrap() {
        let mut windows = WindowedScorer::new_if_possible(&weight, &boosts, segment).unwrap()?;
        while let Some(candidate) = windows.advance() {
            let address = DocAddress::new(u32::try_from(segment.ord).unwrap(), candidate.doc);
            assert!(candidates.insert(address, candidate).is_none());
        }
    }
    Some(candidates)
}

/// Returns the matches with their scores, found by windows wherever the query has a suitable form.
fn matches_by_window(
    query: &Query,
    boosts: &[Query],
    snapshot: &Snapshot,
    fields: &Fields,
) -> BTreeMap<DocAddress, f32> {
    let (weight, boosts) = compile(query, boosts, snapshot, fields);
    let boosts: Vec<&Weight> = boosts.iter().collect();
    let mut scores = BTreeMap::new();
    for segment in snapshot.segments().unwrap() {
        let windows = WindowedScorer::new_if_possible(&weight, &boosts, segment).unwrap();
        let mut matches =
            SegmentMatches::from_scorers(weight.scorer(segment).unwrap(), windows, &boosts);
        let mut doc = matches.doc();
        while doc != tantivy::TERMINATED {
            if matches.matches() {
                let bound = matches.max_score();
                let score = matches.score();
                assert!(score <= bound, "{score} <= {bound}");
                let before = scores.insert(
                    DocAddress::new(u32::try_from(segment.ord).unwrap(), doc),
                    score,
                );
                assert!(before.is_none());
            }
            doc = matches.advance();
        }
    }
    scores
}

/// Asserts that every match is a candidate, that candidates without a check match, and that no
/// score exceeds its bound.
fn assert_consistent(
    candidates: &BTreeMap<DocAddress, Candidate>,
    scores: &BTreeMap<DocAddress, f32>,
    boosts: &[BTreeMap<DocAddress, f32>],
) {
    assert!(
        scores
            .keys()
            .all(|address| candidates.contains_key(address))
    );
    for (address, candidate) in candidates {
        if candidate.needs_check && !scores.contains_key(address) {
            continue;
        }
        let bound = candidate.max_score;
        let added: f32 = boosts.iter().filter_map(|boosts| boosts.get(address)).sum();
        assert!(
            scores[address] + added <= bound,
            "{address:?}: {} + {added} <= {bound}",
            scores[address]
        );
    }
}

/// Returns the matches of a query with their scores, and asserts the bounds.
fn scores(
    query: &Query,
    scored: bool,
    snapshot: &Snapshot,
    fields: &Fields,
) -> BTreeMap<DocAddress, f32> {
    let weight = Weight::compile(query, scored, &Statistics::exact(snapshot, fields)).unwrap();
    let mut scores = BTreeMap::new();
    for segment in snapshot.segments().unwrap() {
        let mut scorer = weight.scorer(segment).unwrap();
        while scorer.doc() != tantivy::TERMINATED {
            let doc = scorer.doc();
            let bound = scorer.max_score();
            let exact = scorer.is_exact();
            let matches = scorer.matches();
            assert!(matches || !exact, "an exact scorer matches everywhere");
            if matches {
                let score = scorer.score();
                assert!(
                    score <= bound * 1.0001 && bound <= weight.max_score() * 1.0001,
                    "{score} <= {bound} <= {}",
                    weight.max_score()
                );
                assert!(!exact || score.to_bits() == bound.to_bits());
                scores.insert(
                    DocAddress::new(u32::try_from(segment.ord).unwrap(), doc),
                    score,
                );
            }
            assert!(scorer.advance() > doc);
        }
    }
    scores
}

/// Returns the positions of a word in a text.
fn positions(text: &[usize], word: usize) -> impl Iterator<Item = usize> {
    (0..)
        .zip(text)
        .filter(move |(_, other)| **other == word)
        .map(|(position, _)| position)
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn queries_match_and_score_as_in_tantivy(texts in texts(), tree in trees()) {
        let (snapshot, fields) = index_texts(&texts);
        let field = fields.text[0].field;
        let engine = snapshot.searcher.search(&tree.tantivy_query(field), &TopDocs::with_limit(1_000).order_by_score()).unwrap();
        let engine: BTreeMap<DocAddress, f32> = engine.into_iter().map(|(score, address)| (address, score)).collect();
        let ours = scores(&tree.query(field), true, &snapshot, &fields);
        prop_assert_eq!(ours.keys().collect::<Vec<_>>(), engine.keys().collect::<Vec<_>>());
        for (address, score) in &engine {
            prop_assert!((score - ours[address]).abs() <= score.abs() * 1e-4 + 1e-6, "{:?}: {} and {}", address, ours[address], score);
        }
        let unscored = scores(&tree.query(field), false, &snapshot, &fields);
        prop_assert_eq!(unscored.keys().collect::<Vec<_>>(), engine.keys().collect::<Vec<_>>());
        prop_assert!(unscored.values().all(|score| *score == 0.0));
    }

    #[test]
    fn windowed_scorer_returns_every_match_with_a_valid_bound(texts in texts(), (words, boosts) in words()) {
        let (snapshot, fields) = index_texts(&texts);
        let field = fields.text[0].field;
        let boosts: Vec<Query> = boosts.iter().map(|tree| tree.query(field)).collect();
        let query = words.query(field);
        let all = scores(&query, true, &snapshot, &fields);
        if let Some(candidates) = candidates(&query, &boosts, &snapshot, &fields) {
            let boosts: Vec<_> = boosts.iter().map(|boost| scores(boost, true, &snapshot, &fields)).collect();
            assert_consistent(&candidates, &all, &boosts);
        }
        prop_assert_eq!(matches_by_window(&query, &boosts, &snapshot, &fields), all);
    }

    #[test]
    fn slop_allows_distant_terms(texts in texts(), one in 0..7_usize, other in 0..7_usize, slop in 1..3_u32) {
        let (snapshot, fields) = index_texts(&texts);
        let query = Query::phrase(phrase(fields.text[0].field, &[(0, one), (1, other)]), slop);
        let near = texts.iter().filter(|text| {
            positions(text, one).any(|from| positions(text, other).any(|to| (from + 1).abs_diff(to) <= slop as usize))
        });
        let count = near.count();
        prop_assert_eq!(scores(&query, true, &snapshot, &fields).len(), count);
    }
}

#[test]
fn seek_stops_where_repeated_advance_does() {
    let texts: Vec<Vec<usize>> = (0..1_000)
        .map(|n| vec![n % 7, n / 7 % 7, (n * n) % 7])
        .collect();
    let (snapshot, fields) = index_texts(&texts);
    let field = fields.text[0].field;
    let query = Query::or(vec![
        Query::and(vec![
            Query::Term(term(field, 1)),
            Query::Term(term(field, 2)),
        ]),
        Query::phrase(phrase(field, &[(0, 3), (1, 4)]), 0),
    ]);
    let weight = Weight::compile(&query, true, &Statistics::exact(&snapshot, &fields)).unwrap();
    let mut all = Vec::new();
    for segment in snapshot.segments().unwrap() {
        let mut scorer = weight.scorer(segment).unwrap();
        while scorer.doc() != tantivy::TERMINATED {
            all.push((segment.ord, scorer.doc()));
            scorer.advance();
        }
        for target in 0..segment.reader.max_doc() {
            let expected = all
                .iter()
                .filter(|(of, doc)| *of == segment.ord && *doc >= target)
                .map(|(_, doc)| *doc)
                .min();
            assert_eq!(
                weight.scorer(segment).unwrap().seek(target),
                expected.unwrap_or(tantivy::TERMINATED)
            );
        }
    }
    assert!(all.len() > 100);
}

#[test]
fn windowed_scorer_covers_every_window() {
    // A word in every third document, one in every 1,000th, one in the last of many.
    let texts = (0..25_000_usize).map(|n| {
        let occurrences = [
            (0, n.is_multiple_of(3)),
            (1, n.is_multiple_of(1_000)),
            (2, n > 24_000),
            (3, n % 4_096 > 4_090),
            (4, true),
        ];
        let words = occurrences.into_iter().filter(|(_, occurs)| *occurs);
        words.map(|(word, _)| word).collect()
    });
    let texts: Vec<Vec<usize>> = texts.collect();
    let (snapshot, fields) = index_texts(&texts);
    let field = fields.text[0].field;
    for words in [
        vec![0],
        vec![1],
        vec![2],
        vec![3],
        vec![0, 1],
        vec![0, 2],
        vec![1, 2, 4],
        vec![0, 3],
        vec![3, 4],
    ] {
        let trees: Vec<Tree> = words.iter().map(|word| Tree::Term(*word)).collect();
        for tree in [Tree::And(trees.clone()), Tree::Or(trees)] {
            let query = tree.query(field);
            let candidates = candidates(&query, &[], &snapshot, &fields);
            let scores = scores(&query, true, &snapshot, &fields);
            // The word of the last documents is not in the first segment.
            let Some(candidates) = candidates else {
                assert!(words.contains(&2));
                continue;
            };
            assert!(candidates.keys().eq(scores.keys()));
            assert!(candidates.values().all(|candidate| !candidate.needs_check));
            assert_consistent(&candidates, &scores, &[]);
        }
    }
}
