//! The figures of one run: nDCG@10, MRR@10, Recall@100 and times, of each query and their means.
//!
//! A document is relevant if its grade is positive. Every query counts the same.

use super::document::Document;
use super::set::{Query, Relevant};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The number of hits that nDCG and MRR look at.
const TOP: usize = 10;
/// The number of hits that recall looks at.
pub const HITS: usize = 100;

/// What was found, best first, and how long that took.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The indexes of the documents.
    pub documents: Vec<usize>,
    /// Whether nothing was found and no other search was offered.
    pub is_dead_end: bool,
    /// Why the engine does not run the query, if it does not.
    pub refused: Option<String>,
    pub time: Duration,
}

/// The figures of one query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueryFigures {
    pub id: String,
    pub ndcg_at_10: f64,
    pub mrr_at_10: f64,
    pub recall_at_100: f64,
    /// The ids of the first ten hits.
    pub hits: Vec<String>,
}

/// The means over all queries.
#[derive(Clone, Copy, Debug, Default)]
pub struct Means {
    pub queries: usize,
    pub ndcg: f64,
    pub mrr: f64,
    pub recall: f64,
    /// Share of queries that find nothing and have no alternative.
    pub dead_ends: f64,
    /// Milliseconds of the middle query, and of the one that only every twentieth exceeds.
    pub p50: f64,
    pub p95: f64,
}

/// The figures of a run over the queries of a set in one form.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    pub means: Means,
    /// In the order of the queries.
    pub queries: Vec<QueryFigures>,
    /// The queries that the engine does not run, and which thus find nothing: the first one with the
    /// reason, and their number.
    pub refused: Option<(String, usize)>,
}

impl Figures {
    /// Runs every query, and evaluates the hits.
    pub fn measure<E>(
        documents: &[Document],
        queries: &[Query],
        mut search: impl FnMut(&Query) -> Result<Found, E>,
    ) -> Result<Figures, E> {
        let mut figures = Figures::default();
        let mut times = Vec::with_capacity(queries.len());
        let mut dead_ends = 0;
        for query in queries {
            let mut found = search(query)?;
            found
                .documents
                .retain(|document| query.source != Some(*document));
            dead_ends += usize::from(found.is_dead_end);
            if let Some(reason) = found.refused {
                let first = || (format!("{}: {reason}", query.id), 0);
                figures.refused.get_or_insert_with(first).1 += 1;
            }
            times.push(found.time.as_secs_f64() * 1000.0);
            let hits = found.documents.iter().take(TOP);
            let hits = hits.filter_map(|document| Some(documents.get(*document)?.id.clone()));
            figures.queries.push(QueryFigures {
                id: query.id.clone(),
                ndcg_at_10: ndcg(&found.documents, &query.relevant),
                mrr_at_10: reciprocal_rank(&found.documents, &query.relevant),
                recall_at_100: recall(&found.documents, &query.relevant),
                hits: hits.collect(),
            });
        }
        times.sort_unstable_by(f64::total_cmp);
        let mean = |figure: fn(&QueryFigures) -> f64| mean(figures.queries.iter().map(figure));
        figures.means = Means {
            queries: queries.len(),
            ndcg: mean(|query| query.ndcg_at_10),
            mrr: mean(|query| query.mrr_at_10),
            recall: mean(|query| query.recall_at_100),
            dead_ends: dead_ends as f64 / queries.len().max(1) as f64,
            p50: percentile(&times, 50),
            p95: percentile(&times, 95),
        };
        Ok(figures)
    }
}

/// Returns the mean; 0 of nothing.
fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

fn discounted_sum(gains: impl Iterator<Item = f64>) -> f64 {
    let discounted = gains
        .take(TOP)
        .zip(2..)
        .map(|(gain, rank)| gain / f64::from(rank).log2());
    // The sum of nothing would be -0.
    discounted.fold(0.0, |sum, gain| sum + gain)
}

/// Returns nDCG@10: linear gain, discount log2(rank + 1), ideal from the grades of all judgements, also
/// those of documents that the set lacks.
fn ndcg(found: &[usize], relevant: &Relevant) -> f64 {
    let mut ideal: Vec<f64> = relevant.grades().collect();
    ideal.sort_by(|one, other| other.total_cmp(one));
    let gains = found
        .iter()
        .map(|document| relevant.documents.get(document).copied().unwrap_or(0.0));
    discounted_sum(gains) / discounted_sum(ideal.into_iter())
}

/// Returns 1 / the rank of the first relevant hit; 0 beyond the first ten.
fn reciprocal_rank(found: &[usize], relevant: &Relevant) -> f64 {
    let is_relevant = |document: &usize| relevant.documents.contains_key(document);
    let rank = found.iter().take(TOP).position(is_relevant);
    rank.map_or(0.0, |rank| 1.0 / (rank + 1) as f64)
}

/// Returns the share of the relevant documents that are among the first hundred hits.
fn recall(found: &[usize], relevant: &Relevant) -> f64 {
    let is_relevant = |document: &&usize| relevant.documents.contains_key(document);
    let count = found.iter().take(HITS).filter(is_relevant).count();
    count as f64 / relevant.count() as f64
}

fn percentile(times: &[f64], part: usize) -> f64 {
    times
        .get(times.len().saturating_sub(1) * part / 100)
        .copied()
        .unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relevant(documents: &[(usize, f64)], missing: &[f64]) -> Relevant {
        Relevant {
            documents: documents.iter().copied().collect(),
            missing: missing.to_vec(),
        }
    }

    fn assert_near(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-9, "{actual}, not {expected}");
    }

    #[test]
    fn ndcg_has_linear_gain_and_a_logarithmic_discount() {
        let judged = relevant(&[(1, 3.0), (2, 1.0)], &[]);
        let ideal = 3.0 + 1.0 / 3_f64.log2();
        assert_near(ndcg(&[1, 2], &judged), 1.0);
        assert_near(ndcg(&[2, 7, 1], &judged), (1.0 + 3.0 / 2.0) / ideal);
        assert!(ndcg(&[], &judged).is_sign_positive());
        assert_near(ndcg(&[], &judged), 0.0);
        let late: Vec<usize> = (10..20).chain([1]).collect();
        assert_near(ndcg(&late, &judged), 0.0);
    }

    #[test]
    fn relevant_documents_that_the_set_lacks_lower_ndcg_and_recall() {
        let judged = relevant(&[(1, 1.0)], &[1.0]);
        assert_near(ndcg(&[1], &judged), 1.0 / (1.0 + 1.0 / 3_f64.log2()));
        assert_near(recall(&[1], &judged), 0.5);
        assert_near(reciprocal_rank(&[1], &judged), 1.0);
    }

    #[test]
    fn reciprocal_rank_and_recall_look_at_the_first_hits() {
        let judged = relevant(&[(1, 1.0), (2, 1.0)], &[]);
        assert_near(reciprocal_rank(&[8, 9, 2, 1], &judged), 1.0 / 3.0);
        let tenth: Vec<usize> = (10..19).chain([1]).collect();
        assert_near(reciprocal_rank(&tenth, &judged), 0.1);
        let eleventh: Vec<usize> = (10..20).chain([1]).collect();
        assert_near(reciprocal_rank(&eleventh, &judged), 0.0);
        assert_near(recall(&eleventh, &judged), 0.5);
        let beyond: Vec<usize> = (10..110).chain([1, 2]).collect();
        assert_near(recall(&beyond, &judged), 0.0);
    }

    #[test]
    fn means_weigh_every_query_the_same_and_the_source_is_no_hit() {
        let documents: Vec<Document> = ["a", "b", "c"]
            .map(|id| Document {
                id: id.to_owned(),
                ..Document::default()
            })
            .into();
        let query = |id: &str, source| Query {
            id: id.to_owned(),
            text: String::new(),
            created: None,
            source,
            relevant: relevant(&[(1, 1.0)], &[]),
        };
        let queries = [query("q1", None), query("q2", Some(0)), query("q3", None)];
        let mut times = [30, 10, 20].into_iter();
        let figures = Figures::measure(&documents, &queries, |query| {
            let is_dead_end = query.id == "q3";
            Ok::<_, ()>(Found {
                documents: if is_dead_end { vec![] } else { vec![0, 1] },
                is_dead_end,
                refused: is_dead_end.then(|| "too long".to_owned()),
                time: Duration::from_millis(times.next().unwrap()),
            })
        });
        let figures = figures.unwrap();
        let means = figures.means;
        assert_eq!(means.queries, 3);
        assert_near(means.mrr, (0.5 + 1.0) / 3.0);
        assert_near(means.ndcg, (1.0 / 3_f64.log2() + 1.0) / 3.0);
        assert_near(means.recall, 2.0 / 3.0);
        assert_near(means.dead_ends, 1.0 / 3.0);
        assert_near(means.p50, 20.0);
        assert_eq!(figures.refused, Some(("q3: too long".to_owned(), 1)));
        assert_eq!(figures.queries[0].hits, ["a", "b"]);
        assert_eq!(figures.queries[1].hits, ["b"]);
    }
}
