//! The figures of a run: nDCG@10, MRR@10, Recall@100 and times.

use crate::sets::{Failure, Found, Grades, Query, Set};

/// The means over all queries.
#[derive(Clone, Copy, Default)]
pub struct Figures {
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

impl Figures {
    /// Runs every query of a set in one form, and evaluates the hits.
    pub fn measure(
        set: &Set,
        form: &str,
        mut search: impl FnMut(&Query) -> Result<Found, Failure>,
    ) -> Result<Figures, Failure> {
        let mut found = Vec::new();
        for (query, grades) in set.queries(form) {
            let mut hits = search(&query)?;
            hits.documents
                .retain(|document| query.source != Some(*document));
            found.push((hits, grades));
        }
        Ok(Figures::of(found))
    }

    /// Of what was found for each query, with the grades of its documents.
    fn of(found: Vec<(Found, Grades)>) -> Figures {
        let mut sum = Figures {
            queries: found.len(),
            ..Figures::default()
        };
        let mut times = Vec::new();
        for (found, grades) in found {
            sum.ndcg += ndcg(&found.documents, &grades);
            sum.mrr += found
                .documents
                .iter()
                .take(10)
                .position(|id| grades.contains_key(id))
                .map_or(0.0, |place| 1.0 / (place + 1) as f64);
            sum.recall += found
                .documents
                .iter()
                .filter(|id| grades.contains_key(*id))
                .count() as f64
                / grades.len() as f64;
            sum.dead_ends += f64::from(found.is_dead_end);
            times.push(found.time.as_secs_f64() * 1000.0);
        }
        times.sort_unstable_by(f64::total_cmp);
        let count = sum.queries.max(1) as f64;
        Figures {
            ndcg: sum.ndcg / count,
            mrr: sum.mrr / count,
            recall: sum.recall / count,
            dead_ends: sum.dead_ends / count,
            p50: percentile(&times, 50),
            p95: percentile(&times, 95),
            ..sum
        }
    }
}

fn discounted_sum(gains: &[f64]) -> f64 {
    gains
        .iter()
        .zip(2..)
        .map(|(gain, rank)| gain / f64::from(rank).log2())
        .sum::<f64>()
}

/// Returns nDCG@10: linear gain, discount log2(rank + 1), ideal from the grades of all relevance
/// judgements.
fn ndcg(found: &[usize], grades: &Grades) -> f64 {
    let mut ideal: Vec<f64> = grades.values().copied().collect();
    ideal.sort_by(|one, other| other.total_cmp(one));
    ideal.truncate(10);
    let gains: Vec<f64> = found
        .iter()
        .take(10)
        .map(|id| grades.get(id).copied().unwrap_or(0.0))
        .collect();
    discounted_sum(&gains) / discounted_sum(&ideal)
}

fn percentile(times: &[f64], part: usize) -> f64 {
    times
        .get(times.len().saturating_sub(1) * part / 100)
        .copied()
        .unwrap_or(0.0)
}
