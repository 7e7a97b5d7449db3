//! The test collections: documents, queries and the grades of their relevance judgements.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

pub type Failure = Box<dyn std::error::Error>;
/// The grade of each document that is relevant to a query.
pub type Grades = HashMap<usize, f64>;

/// The form of a query that is the text of a relevant document, to find the others.
pub const PASTE: &str = "paste";
/// Maximum number of characters of such a text.
const MAX_PASTE: usize = 8_000;
/// The form of a query that is a paragraph of prose: the first words of the text of a relevant
/// document, to find the others.
pub const PARAGRAPH: &str = "paragraph";
/// Minimum and maximum number of words of such a paragraph.
const PARAGRAPH_WORDS: (usize, usize) = (60, 120);

/// A document; its number is its place in the set.
pub struct Document {
    pub title: String,
    pub text: String,
    pub notes: String,
    /// Seconds since 1970; 0 when it is not known.
    pub created: i64,
}

impl Document {
    /// Returns its text as a query; `None` if it is too short for that form.
    fn as_query(&self, form: &str) -> Option<String> {
        let text = if form == PARAGRAPH {
            let (min, max) = PARAGRAPH_WORDS;
            let words: Vec<&str> = self.text.split_whitespace().take(max).collect();
            if words.len() < min {
                return None;
            }
            words.join(" ")
        } else {
            format!("{} {}", self.title, self.text)
        };
        // Nothing of it is an operator or a qualifier.
        let plain = text.replace(['"', ':', '*'], " ").replace(" -", " ");
        Some(plain.chars().take(MAX_PASTE).collect())
    }
}

/// One query in one of its forms.
pub struct Query {
    pub text: String,
    /// When the query was written, if known.
    pub created: Option<Timestamp>,
    /// The document whose text it is, which does not count as found.
    pub source: Option<usize>,
}

/// What was found, best first, and how long that took.
pub struct Found {
    pub documents: Vec<usize>,
    /// Whether nothing was found and no other search was offered.
    pub is_dead_end: bool,
    pub time: Duration,
}

pub struct Set {
    pub name: String,
    pub documents: Vec<Document>,
    queries: Vec<(Value, Grades)>,
}

/// The sets in a folder that have this split, by their names.
pub fn names(folder: &Path, split: &str, wanted: &[String]) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let has = |file: &str| entry.path().join(file).exists();
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_set = has("docs.jsonl.gz")
            && has(&format!("{split}.queries.jsonl"))
            && has(&format!("{split}.qrels.tsv"));
        if is_set && (wanted.is_empty() || wanted.contains(&name)) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

impl Set {
    /// Reads a set, with the comments on its documents or without.
    pub fn read(
        directory: &Path,
        name: &str,
        split: &str,
        with_comments: bool,
    ) -> Result<Set, Failure> {
        let mut numbers = HashMap::new();
        let mut documents = Vec::new();
        for doc in lines(&directory.join("docs.jsonl.gz"))? {
            numbers.insert(text(&doc, "id"), documents.len());
            let date = [text(&doc, "created"), text(&doc, "date")];
            let created = date
                .iter()
                .find_map(|text| date_of(text))
                .map_or(0, Timestamp::as_second);
            documents.push(Document {
                title: text(&doc, "title"),
                text: text(&doc, "text"),
                notes: String::new(),
                created,
            });
        }
        if with_comments {
            for comment in lines(&directory.join("comments.jsonl.gz"))? {
                if let Some(document) = numbers
                    .get(&text(&comment, "issue"))
                    .and_then(|number| documents.get_mut(*number))
                {
                    document.notes.push('\n');
                    document.notes.push_str(&text(&comment, "text"));
                }
            }
        }
        let mut judgements: HashMap<String, Grades> = HashMap::new();
        for line in std::fs::read_to_string(directory.join(format!("{split}.qrels.tsv")))?.lines() {
            if let [query, doc, grade] = line.split('\t').collect::<Vec<_>>()[..] {
                // A document that is not there cannot be found, and counts.
                let number = numbers
                    .get(doc)
                    .copied()
                    .unwrap_or(usize::MAX - judgements.len());
                judgements
                    .entry(query.to_owned())
                    .or_default()
                    .insert(number, grade.parse()?);
            }
        }
        let queries = lines(&directory.join(format!("{split}.queries.jsonl")))?;
        let queries = queries.into_iter().filter_map(|query| {
            judgements
                .remove(&text(&query, "id"))
                .map(|grades| (query, grades))
        });
        Ok(Set {
            name: name.to_owned(),
            documents,
            queries: queries.collect(),
        })
    }

    /// Whether the dates of its queries are known.
    pub fn is_dated(&self) -> bool {
        self.queries
            .first()
            .is_some_and(|(query, _)| date_of(&text(query, "created")).is_some())
    }

    /// Returns every query in one form, with the grades of its documents.
    pub fn queries(&self, form: &str) -> Vec<(Query, Grades)> {
        let query = |(query, grades): &(Value, Grades)| {
            let created = date_of(&text(query, "created"));
            if form != PASTE && form != PARAGRAPH {
                return Some((
                    Query {
                        text: text(query, form),
                        created,
                        source: None,
                    },
                    grades.clone(),
                ));
            }
            let mut grades = grades.clone();
            let source = grades
                .keys()
                .copied()
                .filter(|number| *number < self.documents.len())
                .min()?;
            grades.remove(&source);
            let text = self.documents[source].as_query(form)?;
            (!grades.is_empty()).then_some((
                Query {
                    text,
                    created,
                    source: Some(source),
                },
                grades,
            ))
        };
        self.queries.iter().filter_map(query).collect()
    }
}

fn lines(path: &Path) -> Result<Vec<Value>, Failure> {
    let bytes = match path.extension().is_some_and(|extension| extension == "gz") {
        true => {
            Command::new("gzip")
                .arg("-dc")
                .arg(path)
                .stdout(Stdio::piped())
                .output()?
                .stdout
        }
        false => std::fs::read(path)?,
    };
    Ok(bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(serde_json::from_slice)
        .collect::<Result<_, _>>()?)
}

fn text(value: &Value, field: &str) -> String {
    value
        .get(field)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

fn parse_short(text: &str) -> Option<jiff::Zoned> {
    DateTime::strptime("%d/%b/%y %H:%M", text)
        .ok()?
        .to_zoned(TimeZone::UTC)
        .ok()
}

/// `2015-01-30T00:43:49.000+0000`, `2020-01-02 17:14:21+00:00`, `01/Jan/20 02:52`.
fn date_of(text: &str) -> Option<Timestamp> {
    let seconds = text
        .get(..19)
        .and_then(|seconds| format!("{seconds}Z").parse().ok());
    seconds.or_else(|| parse_short(text).map(|zoned| zoned.timestamp()))
}
