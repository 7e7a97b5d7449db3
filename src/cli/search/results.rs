//! What `quarry search` prints.

use super::search_arguments::SearchArguments;
use crate::cli::output::table;
use quarry_domain::values::text::escape_controls;
use quarry_search::{Explanation, Hit};
use serde_json::{Map, Value, json};
use std::io::Write;

/// A result.
pub struct ResultRow {
    pub hit: Hit,
    /// The type, as in the REST API.
    pub kind: &'static str,
    pub title: String,
    pub explanation: Option<Explanation>,
}

/// The results of a search.
pub struct Results {
    pub total: u64,
    pub rows: Vec<ResultRow>,
    /// The words that were searched, in the order of the explanations.
    pub words: Vec<String>,
    pub did_you_mean: Option<String>,
    /// What was searched as text, and why.
    pub as_text: Option<String>,
}

/// Returns the parts of a score with their names, words first.
fn parts(explanation: &Explanation, words: &[String]) -> Vec<(String, f32)> {
    let by_word = words.iter().cloned().zip(explanation.words.iter().copied());
    let others = [
        ("without words", explanation.base),
        ("exact title", explanation.exact_title),
        ("adjacent words", explanation.adjacent_words),
        ("recency", explanation.recency),
    ];
    let others = others.map(|(name, part)| (format!("({name})"), part));
    let parts = by_word.chain(others.into_iter().filter(|(_, part)| *part > 0.0));
    parts.collect()
}

/// Rounds a score to four decimal places.
fn round(score: f32) -> f64 {
    (f64::from(score) * 1e4).round() / 1e4
}

impl Results {
    /// Prints a table, with the explanation of each result below its row.
    pub fn write_text(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut rows = vec![["rank", "score", "type", "id", "title"].map(str::to_owned)];
        rows.extend(self.rows.iter().zip(1..).map(|(row, rank)| {
            [
                rank.to_string(),
                row.hit
                    .score
                    .map_or(String::new(), |score| format!("{score:.4}")),
                row.kind.to_owned(),
                row.hit.id.to_string(),
                row.title.clone(),
            ]
        }));
        let mut text = Vec::new();
        table::write(&mut text, &rows)?;
        // The explanation of a result is the line below its row.
        let explanations =
            std::iter::once(None).chain(self.rows.iter().map(|row| row.explanation.as_ref()));
        for (line, explanation) in String::from_utf8_lossy(&text).lines().zip(explanations) {
            writeln!(out, "{line}")?;
            if let Some(explanation) = explanation {
                let parts = parts(explanation, &self.words);
                let parts = parts.iter().map(|(name, part)| format!("{part:.4} {name}"));
                let sum = parts.collect::<Vec<_>>().join(" + ");
                writeln!(out, "      = {}", escape_controls(&sum))?;
            }
        }
        if let Some(reason) = &self.as_text {
            writeln!(out, "{reason}")?;
        }
        if let Some(query) = &self.did_you_mean {
            writeln!(out, "did you mean: {}", escape_controls(query))?;
        }
        Ok(writeln!(
            out,
            "{} of {} results",
            self.rows.len(),
            self.total
        )?)
    }

    /// Prints one JSON object.
    pub fn write_json(
        &self,
        arguments: &SearchArguments,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let results = self.rows.iter().zip(1..).map(|(row, rank)| {
            let mut result = Map::new();
            result.insert("rank".to_owned(), json!(rank));
            result.insert("score".to_owned(), json!(row.hit.score.map(round)));
            result.insert("type".to_owned(), json!(row.kind));
            result.insert("id".to_owned(), json!(row.hit.id));
            result.insert("title".to_owned(), json!(row.title));
            if let Some(explanation) = &row.explanation {
                result.insert("explain".to_owned(), self.explanation_json(explanation));
            }
            Value::Object(result)
        });
        let report = json!({
            "q": arguments.query.join(" "),
            "as": arguments.login,
            "all_words": !arguments.any,
            "total_count": self.total,
            "did_you_mean": self.did_you_mean,
            "searched_as_text": self.as_text,
            "results": results.collect::<Vec<_>>(),
        });
        Ok(writeln!(out, "{report}")?)
    }

    /// Returns the parts of a score under the names of the REST API (search 9).
    fn explanation_json(&self, explanation: &Explanation) -> Value {
        let words = self.words.iter().zip(&explanation.words);
        let words = words.map(|(word, part)| json!({"word": word, "added": round(*part)}));
        json!({
            "words": words.collect::<Vec<_>>(),
            "base": round(explanation.base),
            "exact_title": round(explanation.exact_title),
            "adjacent_words": round(explanation.adjacent_words),
            "recency": round(explanation.recency),
        })
    }
}
