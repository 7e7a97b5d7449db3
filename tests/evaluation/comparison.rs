//! Compares two runs over the same queries: the mean difference of each figure, its standard error over
//! the queries, and the queries that moved most.

use super::figures::QueryFigures;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Smaller changes of a figure are rounding.
const EPSILON: f64 = 1e-9;

/// The difference of one figure, later minus earlier.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    pub mean: f64,
    /// The standard error of the mean over the queries; `None` for fewer than two.
    pub standard_error: Option<f64>,
    /// How many queries have a higher figure.
    pub won: usize,
    /// How many queries have a lower figure.
    pub lost: usize,
}

impl Difference {
    /// Computes it from the differences of the queries.
    pub fn of(differences: &[f64]) -> Difference {
        let count = differences.len() as f64;
        if differences.is_empty() {
            return Difference::default();
        }
        let mean = differences.iter().sum::<f64>() / count;
        let squares: f64 = differences
            .iter()
            .map(|difference| (difference - mean).powi(2))
            .sum();
        let standard_error =
            (differences.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt());
        let won = differences.iter().filter(|change| **change > EPSILON);
        let lost = differences.iter().filter(|change| **change < -EPSILON);
        Difference {
            mean,
            standard_error,
            won: won.count(),
            lost: lost.count(),
        }
    }

    /// Whether no query changed.
    pub fn is_none(&self) -> bool {
        self.won == 0 && self.lost == 0
    }

    /// Returns it for programs.
    pub fn to_json(self) -> Value {
        json!({
            "difference": self.mean,
            "standard_error": self.standard_error,
            "won": self.won,
            "lost": self.lost,
        })
    }
}

/// A query whose nDCG@10 changed, with its first hits before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedQuery {
    pub id: String,
    pub ndcg_before: f64,
    pub ndcg_after: f64,
    pub hits_before: Vec<String>,
    pub hits_after: Vec<String>,
}

impl MovedQuery {
    /// Returns how far it moved, up or down.
    pub fn distance(&self) -> f64 {
        (self.ndcg_after - self.ndcg_before).abs()
    }
}

/// The comparison of two runs, over the queries that both have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Number of queries that both have.
    pub queries: usize,
    /// Number of queries that only one of them has.
    pub unpaired: usize,
    pub ndcg: Difference,
    pub mrr: Difference,
    pub recall: Difference,
    /// Those whose nDCG@10 changed, the greatest change first.
    pub moved: Vec<MovedQuery>,
}

impl Comparison {
    /// Compares a run with an earlier one.
    pub fn of(before: &[QueryFigures], after: &[QueryFigures]) -> Comparison {
        let earlier: HashMap<&str, &QueryFigures> = before
            .iter()
            .map(|query| (query.id.as_str(), query))
            .collect();
        let pairs: Vec<(&QueryFigures, &QueryFigures)> = after
            .iter()
            .filter_map(|query| Some((*earlier.get(query.id.as_str())?, query)))
            .collect();
        let difference = |figure: fn(&QueryFigures) -> f64| {
            let differences = pairs
                .iter()
                .map(|(before, after)| figure(after) - figure(before));
            Difference::of(&differences.collect::<Vec<f64>>())
        };
        let moved = pairs.iter().map(|(before, after)| MovedQuery {
            id: after.id.clone(),
            ndcg_before: before.ndcg_at_10,
            ndcg_after: after.ndcg_at_10,
            hits_before: before.hits.clone(),
            hits_after: after.hits.clone(),
        });
        let mut moved: Vec<MovedQuery> = moved.filter(|query| query.distance() > EPSILON).collect();
        moved.sort_by(|one, other| {
            let by_change = other.distance().total_cmp(&one.distance());
            by_change.then_with(|| one.id.cmp(&other.id))
        });
        Comparison {
            queries: pairs.len(),
            unpaired: before.len() + after.len() - 2 * pairs.len(),
            ndcg: difference(|query| query.ndcg_at_10),
            mrr: difference(|query| query.mrr_at_10),
            recall: difference(|query| query.recall_at_100),
            moved,
        }
    }

    /// Returns it for programs.
    pub fn to_json(&self) -> Value {
        json!({
            "queries": self.queries,
            "unpaired_queries": self.unpaired,
            "ndcg_at_10": self.ndcg.to_json(),
            "mrr_at_10": self.mrr.to_json(),
            "recall_at_100": self.recall.to_json(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(id: &str, ndcg: f64, hits: &[&str]) -> QueryFigures {
        QueryFigures {
            id: id.to_owned(),
            ndcg_at_10: ndcg,
            mrr_at_10: 1.0 - ndcg,
            recall_at_100: 0.5,
            hits: hits.iter().map(|hit| (*hit).to_owned()).collect(),
        }
    }

    #[test]
    fn standard_error_is_that_of_the_mean_of_the_differences() {
        let difference = Difference::of(&[0.1, -0.1, 0.3, 0.1]);
        assert!((difference.mean - 0.1).abs() < 1e-12);
        // The variance is 0.08 / 3.
        let expected = (0.08_f64 / 3.0 / 4.0).sqrt();
        assert!((difference.standard_error.unwrap() - expected).abs() < 1e-12);
        assert_eq!((difference.won, difference.lost), (3, 1));
        assert_eq!(Difference::of(&[0.5]).standard_error, None);
        assert_eq!(Difference::of(&[]), Difference::default());
        assert!(Difference::of(&[1e-12, -1e-12]).is_none());
    }

    #[test]
    fn runs_are_compared_query_by_query_whatever_their_order() {
        let before = [
            query("q1", 0.5, &["a", "b"]),
            query("q2", 0.9, &["c"]),
            query("q3", 0.2, &["d"]),
            query("gone", 1.0, &[]),
        ];
        let after = [
            query("q3", 0.2, &["d"]),
            query("new", 1.0, &[]),
            query("q2", 0.4, &["x"]),
            query("q1", 0.7, &["b", "a"]),
        ];
        let comparison = Comparison::of(&before, &after);
        assert_eq!((comparison.queries, comparison.unpaired), (3, 2));
        assert!((comparison.ndcg.mean + 0.1).abs() < 1e-12);
        assert!((comparison.mrr.mean - 0.1).abs() < 1e-12);
        assert!(comparison.recall.is_none());
        assert_eq!((comparison.ndcg.won, comparison.ndcg.lost), (1, 1));
        let moved: Vec<&str> = comparison
            .moved
            .iter()
            .map(|query| query.id.as_str())
            .collect();
        assert_eq!(moved, ["q2", "q1"]);
        assert_eq!(comparison.moved[1].hits_before, ["a", "b"]);
        assert_eq!(comparison.moved[1].hits_after, ["b", "a"]);
    }
}
