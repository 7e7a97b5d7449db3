//! The figures and comparisons as text for people, and as JSON for programs.

use super::baseline::RunKey;
use super::comparison::{Comparison, Difference, MovedQuery};
use super::figures::Means;
use super::set::{Query, Set};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Maximum number of characters of a query in the list of those that moved.
const MAX_QUERY: usize = 100;
/// Maximum number of characters of a hit in that list.
const MAX_HIT: usize = 56;

/// The figures of one engine on one form of the queries of a set.
#[derive(Debug)]
pub struct Row {
    pub key: RunKey,
    pub means: Means,
    /// Its comparison with the baseline, if that has the same row.
    pub comparison: Option<Comparison>,
}

/// Returns the head of the table of a set.
pub fn table_head(set: &Set) -> String {
    format!(
        "\n{}: {} documents, {} queries with a relevant document\n\n\
         | form | engine | queries | nDCG@10 | difference | MRR@10 | Recall@100 | dead ends | p50 ms | p95 ms |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        set.name,
        set.documents.len(),
        set.query_count()
    )
}

impl Row {
    /// Returns the row of the table.
    pub fn to_text(&self) -> String {
        let means = self.means;
        let difference = match &self.comparison {
            None => "–".to_owned(),
            Some(comparison) if comparison.ndcg.is_none() => "=".to_owned(),
            Some(comparison) => format!("{:+.4}", comparison.ndcg.mean),
        };
        format!(
            "| {} | {} | {} | {:.4} | {difference} | {:.4} | {:.4} | {:.1} % | {:.2} | {:.2} |",
            self.key.form,
            self.key.by,
            means.queries,
            means.ndcg,
            means.mrr,
            means.recall,
            means.dead_ends * 100.0,
            means.p50,
            means.p95
        )
    }

    /// Returns the row for programs.
    pub fn to_json(&self) -> Value {
        let means = self.means;
        json!({
            "set": self.key.set,
            "form": self.key.form,
            "by": self.key.by,
            "queries": means.queries,
            "ndcg_at_10": means.ndcg,
            "mrr_at_10": means.mrr,
            "recall_at_100": means.recall,
            "dead_ends": means.dead_ends,
            "p50_ms": means.p50,
            "p95_ms": means.p95,
            "comparison": self.comparison.as_ref().map(Comparison::to_json),
        })
    }

    fn changed(&self) -> Option<&Comparison> {
        let comparison = self.comparison.as_ref()?;
        let differences = [comparison.ndcg, comparison.mrr, comparison.recall];
        let is_same = differences.iter().all(Difference::is_none);
        (!is_same || comparison.unpaired > 0).then_some(comparison)
    }
}

fn difference(difference: Difference) -> String {
    if difference.is_none() {
        return "=".to_owned();
    }
    let error = difference
        .standard_error
        .map_or(String::new(), |error| format!(" ± {error:.4}"));
    format!(
        "{:+.4}{error} ({} won, {} lost)",
        difference.mean, difference.won, difference.lost
    )
}

/// Returns the comparison of the rows of a set with a baseline; `None` if the baseline has none of them.
pub fn comparison(rows: &[Row], baseline: &str) -> Option<String> {
    let compared = rows.iter().filter(|row| row.comparison.is_some()).count();
    if compared == 0 {
        return None;
    }
    let changed: Vec<(&Row, &Comparison)> = rows
        .iter()
        .filter_map(|row| Some((row, row.changed()?)))
        .collect();
    if changed.is_empty() {
        return Some(format!(
            "\nCompared with the baseline {baseline}, no query changed. Rows: {compared}.\n"
        ));
    }
    let mut text = format!(
        "\nCompared with the baseline {baseline}: mean difference ± its standard error over the queries\n\n\
         | form | engine | queries | nDCG@10 | MRR@10 | Recall@100 |\n|---|---|---:|---|---|---|\n"
    );
    for (row, comparison) in &changed {
        let mut queries = comparison.queries.to_string();
        if comparison.unpaired > 0 {
            let _ = write!(queries, " ({} in one run only)", comparison.unpaired);
        }
        let _ = writeln!(
            text,
            "| {} | {} | {queries} | {} | {} | {} |",
            row.key.form,
            row.key.by,
            difference(comparison.ndcg),
            difference(comparison.mrr),
            difference(comparison.recall)
        );
    }
    if compared > changed.len() {
        let _ = writeln!(
            text,
            "\nRows in which no query changed: {}.",
            compared - changed.len()
        );
    }
    Some(text)
}

/// Returns the queries of a set that moved most, each in the row where it moved most, with the hits
/// before and after where these differ; relevant ones are marked. `rows` have their queries.
pub fn moved(rows: &[(&Row, &[Query])], set: &Set, count: usize) -> Option<String> {
    let changes = rows.iter().flat_map(|(row, queries)| {
        let moved = row
            .comparison
            .iter()
            .flat_map(|comparison| &comparison.moved);
        moved.map(move |change| (*row, *queries, change))
    });
    let mut changes: Vec<(&Row, &[Query], &MovedQuery)> = changes.collect();
    // Of equal changes the first row stays first.
    changes.sort_by(|(.., one), (.., other)| other.distance().total_cmp(&one.distance()));
    let mut seen = HashSet::new();
    changes.retain(|(.., change)| seen.insert(change.id.as_str()));
    let total = changes.len();
    changes.truncate(count);
    if changes.is_empty() {
        return None;
    }
    let mut text =
        format!("\nQueries whose nDCG@10 changed: {total}; those that moved most (* relevant):\n");
    let describer = Describer::new(set);
    for (row, queries, change) in changes {
        let query = queries.iter().find(|query| query.id == change.id);
        let words = query.map_or("", |query| &query.text);
        let _ = writeln!(
            text,
            "\n  {} {:?}, {} by {}: {:.4} → {:.4}",
            change.id,
            shorten(words, MAX_QUERY),
            row.key.form,
            row.key.by,
            change.ndcg_before,
            change.ndcg_after
        );
        let ranks = change.hits_before.len().max(change.hits_after.len());
        for rank in 0..ranks {
            let before = change.hits_before.get(rank);
            let after = change.hits_after.get(rank);
            if before != after {
                let describe = |id: &String| describer.describe(id, query);
                let before = before.map(describe).unwrap_or_default();
                let after = after.map(describe).unwrap_or_default();
                let line = format!("  {:>4}  {before:MAX_HIT$}  {after}", rank + 1);
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
    }
    Some(text)
}

/// Describes documents by their titles.
struct Describer<'s> {
    set: &'s Set,
    indexes: HashMap<&'s str, usize>,
}

impl<'s> Describer<'s> {
    fn new(set: &'s Set) -> Describer<'s> {
        let ids = set.documents.iter().zip(0..);
        Describer {
            set,
            indexes: ids
                .map(|(document, index)| (document.id.as_str(), index))
                .collect(),
        }
    }

    /// Returns a mark if the document is relevant to the query, its id, and the beginning of its title
    /// or text.
    fn describe(&self, id: &str, query: Option<&Query>) -> String {
        let index = self.indexes.get(id);
        let is_relevant = index.is_some_and(|index| {
            query.is_some_and(|query| query.relevant.documents.contains_key(index))
        });
        let document = index.and_then(|index| self.set.documents.get(*index));
        let title = document.map_or("", |document| match document.title.trim() {
            "" => document.text.trim(),
            title => title,
        });
        let mark = if is_relevant { '*' } else { ' ' };
        shorten(&format!("{mark} {id} {title}"), MAX_HIT)
    }
}

/// Returns a text in one line, cut at a number of characters.
fn shorten(text: &str, max: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let indent = if text.starts_with(' ') { "  " } else { "" };
    let line = format!("{indent}{}", words.join(" "));
    if line.chars().count() <= max {
        return line;
    }
    line.chars().take(max - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::QueryFigures;
    use crate::set_files;

    fn row(form: &str, before: &[(&str, f64, &[&str])], after: &[(&str, f64, &[&str])]) -> Row {
        let figures = |queries: &[(&str, f64, &[&str])]| -> Vec<QueryFigures> {
            let figures = queries.iter().map(|(id, ndcg, hits)| QueryFigures {
                id: (*id).to_owned(),
                ndcg_at_10: *ndcg,
                mrr_at_10: 1.0,
                recall_at_100: 1.0,
                hits: hits.iter().map(|hit| (*hit).to_owned()).collect(),
            });
            figures.collect()
        };
        Row {
            key: RunKey {
                set: "small".to_owned(),
                form: form.to_owned(),
                by: "quarry".to_owned(),
            },
            means: Means {
                queries: after.len(),
                ndcg: 0.75,
                ..Means::default()
            },
            comparison: Some(Comparison::of(&figures(before), &figures(after))),
        }
    }

    #[test]
    fn comparison_has_standard_errors_and_counts() {
        let rows = [
            row(
                "any word",
                &[("q1", 0.5, &[]), ("q2", 1.0, &[])],
                &[("q1", 1.0, &[]), ("q2", 0.9, &[])],
            ),
            row("short", &[("q1", 0.5, &[])], &[("q1", 0.5, &[])]),
        ];
        let text = comparison(&rows, "x").unwrap();
        assert!(
            text.contains("| any word | quarry | 2 | +0.2000 ± 0.3000 (1 won, 1 lost) | = | = |"),
            "{text}"
        );
        assert!(
            text.contains("Rows in which no query changed: 1."),
            "{text}"
        );
        assert!(
            rows[0].to_text().contains("| 0.7500 | +0.2000 |"),
            "{}",
            rows[0].to_text()
        );
        assert!(
            rows[1].to_text().contains("| 0.7500 | = |"),
            "{}",
            rows[1].to_text()
        );
        let same = comparison(&rows[1..], "x").unwrap();
        assert!(same.contains("no query changed. Rows: 1."), "{same}");
        let unknown = Row {
            comparison: None,
            ..row("typo", &[], &[])
        };
        assert!(unknown.to_text().contains("| – |"));
        assert_eq!(comparison(&[unknown], "x"), None);
    }

    #[test]
    fn moved_queries_are_listed_with_their_hits() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write(
            "docs.jsonl",
            "{\"id\": \"a\", \"title\": \"Leak\"}\n{\"id\": \"b\", \"text\": \"Crash\\nat start\"}\n",
        );
        write(
            "dev.queries.jsonl",
            "{\"id\": \"q1\", \"text\": \"leaks\"}\n",
        );
        write("dev.qrels.tsv", "q1\tb\t1\n");
        let files = set_files::find(folder.path(), None).unwrap();
        let set = Set::read(&files.sets[0], false).unwrap();
        let rows = [
            row("all words", &[("q1", 0.7, &["a"])], &[("q1", 1.0, &["b"])]),
            row(
                "any word",
                &[("q1", 0.6, &["a", "b"]), ("q2", 0.5, &[])],
                &[("q1", 1.0, &["b", "a"]), ("q2", 0.4, &[])],
            ),
        ];
        let queries = set.queries("text").queries;
        let rows: Vec<(&Row, &[Query])> =
            rows.iter().map(|row| (row, queries.as_slice())).collect();
        let text = moved(&rows, &set, 1).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let left = |hit: &str| format!("{hit:MAX_HIT$}");
        assert_eq!(
            lines,
            [
                "Queries whose nDCG@10 changed: 2; those that moved most (* relevant):".to_owned(),
                String::new(),
                "  q1 \"leaks\", any word by quarry: 0.6000 → 1.0000".to_owned(),
                format!("     1  {}  * b Crash at start", left("  a Leak")),
                format!("     2  {}    a Leak", left("* b Crash at start")),
            ]
        );
        assert_eq!(moved(&rows, &set, 0), None);
        assert_eq!(moved(&[], &set, 3), None);
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(shorten("a b\nc", 5), "a b c");
        assert_eq!(shorten("  a b", 5), "  a b");
        assert_eq!(shorten("abcdef", 5), "abcd…");
    }
}
