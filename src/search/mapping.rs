//! `index-schema/` as values: which record field feeds which index field, and how hits are ranked.

use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

use super::analyzer::ANALYZER_VERSION;
use crate::domain::kind::Kind;

/// The version of what `src/search` itself puts into a document (keys, classes). Raise it when that changes.
const LAYOUT_VERSION: u32 = 2;

/// The files, by the names that errors say.
const FILES: [(&str, &str); 8] = [
    ("index.toml", include_str!("../../index-schema/index.toml")),
    ("issue.toml", include_str!("../../index-schema/issue.toml")),
    ("news.toml", include_str!("../../index-schema/news.toml")),
    ("document.toml", include_str!("../../index-schema/document.toml")),
    ("changeset.toml", include_str!("../../index-schema/changeset.toml")),
    ("wiki_page.toml", include_str!("../../index-schema/wiki_page.toml")),
    ("message.toml", include_str!("../../index-schema/message.toml")),
    ("project.toml", include_str!("../../index-schema/project.toml")),
];

/// What the index looks like and how it ranks.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// The text fields in the order of their names.
    pub fields: BTreeMap<String, TextField>,
    /// How hits are ranked.
    pub ranking: Ranking,
    /// What a question may ask at most.
    pub bounds: Bounds,
    /// How the like of a text is looked for.
    pub similar: Likeness,
    /// Changes with every file and with the analyzer: an index made under another fingerprint is made anew.
    pub fingerprint: String,
    kinds: Vec<KindFile>,
}

/// What a text field is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Searched by default.
    Text,
    /// Searched when only titles are asked for, and used for the bonus of exact titles.
    Titles,
    /// Searched when attachments are asked for.
    Attachments,
    /// Searched when attachments are asked for, for those who may see the files of the project.
    ProjectFiles,
    /// Searched for those who may read the text: private notes.
    Restricted,
    /// Values of custom fields: searched by those who may read the field.
    Custom,
}

/// A text field of the index.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextField {
    /// What the field is searched for.
    pub role: Role,
    /// How its text is cut into terms.
    pub analyzer: Analyzer,
    /// Its scores are multiplied by this.
    pub weight: f32,
}

/// How text is cut into terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Analyzer {
    /// `search::analyzer`.
    Words,
}

/// How hits are ranked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// Weight of a word that stands in the title exactly as it was asked.
    pub exact_title: f32,
    /// Weight of two neighbouring words of the question that are neighbours in the text.
    pub adjacent_pair: f32,
    /// How many words may stand between such neighbours.
    pub pair_slop: u32,
    /// Weight of a word of several parts as a whole, beside its parts, when any word will do.
    pub compound: f32,
    /// By how much the score of a record of this moment is raised: .5 is half again.
    pub recency_weight: f32,
    /// After how many days the raise has fallen to 1/e.
    pub recency_days: f32,
}

impl Ranking {
    /// By how much the age of a record changes its score: a factor. Both are seconds since 1970.
    pub fn recency(&self, date: i64, now: i64) -> f32 {
        let age = (now - date).unsigned_abs() as f32 / 86_400.0;
        1.0 + self.recency_weight * (-age / self.recency_days).exp()
    }

    /// The same of a record whose date lies between these, at most.
    pub fn highest_recency(&self, (begins, ends): (i64, i64), now: i64) -> f32 {
        let of_nearest = self.recency(now.clamp(begins, ends), now);
        if self.recency_weight > 0.0 { of_nearest } else { 1.0 }
    }
}

/// What a question may ask at most.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Length of a question in characters.
    pub query_characters: usize,
    /// Words and phrases in a question.
    pub query_words: usize,
    /// A shorter prefix is taken as a word.
    pub prefix_characters: usize,
    /// How many of the words that a prefix begins are ranked; the others match without a score.
    pub prefix_terms: usize,
    /// How many words are looked for that the last part of a word of several parts begins (`fuel_t*`): the most frequent.
    pub prefix_parts: usize,
    /// How many hits can be skipped.
    pub offset: usize,
    /// How long a question may take, in milliseconds.
    pub milliseconds: u64,
}

/// How the like of a text is looked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Likeness {
    /// Weight of a term of the subject.
    pub subject: f32,
    /// Weight of a term of the description.
    pub description: f32,
    /// Weight of a term of the notes.
    pub notes: f32,
    /// How many terms are asked for: the most telling.
    pub terms: usize,
    /// By how much the score of a record is raised that was made on the same day: .5 is half again.
    pub nearness_weight: f32,
    /// At how many days between the two the raise has fallen to 1/e.
    pub nearness_days: f32,
    /// A hit with a smaller part of the best hit's score is left out.
    pub least: f32,
    /// How many characters of each text are read.
    pub characters: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IndexFile {
    fields: BTreeMap<String, TextField>,
    ranking: Ranking,
    bounds: Bounds,
    similar: Likeness,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KindFile {
    date: DateField,
    feeds: BTreeMap<String, BTreeMap<String, usize>>,
}

/// Which date of a record orders it and fades it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateField {
    /// When it was made.
    CreatedOn,
    /// When it was last changed.
    UpdatedOn,
}

/// A file of `index-schema/` cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("index-schema/{file}: {reason}")]
pub struct BadMapping {
    /// The file.
    pub file: String,
    /// What is wrong, with the key.
    pub reason: String,
}

impl Mapping {
    /// The mapping that was built into the program.
    pub fn embedded() -> Result<Mapping, BadMapping> {
        Mapping::read(FILES)
    }

    /// Reads the index file and then one file per content type in the order of [`Kind::ALL`].
    pub fn read(files: [(&str, &str); 8]) -> Result<Mapping, BadMapping> {
        let [index, kinds @ ..] = files;
        let IndexFile { fields, ranking, bounds, similar } = parse(index)?;
        let kinds = kinds.into_iter().map(|file| kind_file(file, &fields)).collect::<Result<_, _>>()?;
        for role in [Role::Text, Role::Titles, Role::Attachments, Role::ProjectFiles, Role::Restricted, Role::Custom] {
            if !fields.values().any(|field| field.role == role) {
                return Err(bad(index.0, format!("fields: none has the role {role:?}")));
            }
        }
        let mut hash = Sha256::new();
        hash.update(format!("{ANALYZER_VERSION} {LAYOUT_VERSION}"));
        for (name, text) in files {
            hash.update(format!("\0{name}\0{text}"));
        }
        let fingerprint = hex::encode(&hash.finalize()[..16]);
        Ok(Mapping { fields, ranking, bounds, similar, fingerprint, kinds })
    }

    /// Which date of a record of this type orders it.
    pub fn date(&self, kind: Kind) -> DateField {
        self.kinds[usize::from(kind.code())].date
    }

    /// How often the record field stands in each index field.
    pub fn feeds(&self, kind: Kind, record_field: &str) -> impl Iterator<Item = (&str, usize)> {
        let targets = self.kinds[usize::from(kind.code())].feeds.get(record_field);
        targets.into_iter().flatten().map(|(field, times)| (field.as_str(), *times))
    }
}

fn parse<T: for<'a> Deserialize<'a>>((file, text): (&str, &str)) -> Result<T, BadMapping> {
    toml::from_str(text).map_err(|error| bad(file, error.to_string()))
}

fn kind_file(file: (&str, &str), fields: &BTreeMap<String, TextField>) -> Result<KindFile, BadMapping> {
    let read: KindFile = parse(file)?;
    for (source, targets) in &read.feeds {
        for (target, times) in targets {
            let Some(field) = fields.get(target) else {
                return Err(bad(file.0, format!("feeds.{source}.{target}: index.toml has no such field")));
            };
            if (field.role == Role::Restricted) != (source == "restricted") {
                return Err(bad(file.0, format!("feeds.{source}.{target}: restricted text and no other feeds a restricted field")));
            }
            if (field.role == Role::Custom) != (source == "custom") {
                return Err(bad(file.0, format!("feeds.{source}.{target}: values of custom fields and nothing else feed a custom field")));
            }
            if (field.role == Role::ProjectFiles) != (source == "project_files") {
                return Err(bad(file.0, format!("feeds.{source}.{target}: files of projects and nothing else feed a field for them")));
            }
            if !(1..=20).contains(times) {
                return Err(bad(file.0, format!("feeds.{source}.{target}: the weight must be between 1 and 20")));
            }
        }
    }
    Ok(read)
}

fn bad(file: &str, reason: String) -> BadMapping {
    BadMapping { file: file.to_owned(), reason }
}

#[cfg(test)]
mod tests;
